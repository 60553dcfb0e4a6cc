struct Cell { float value; unsigned char state; };
