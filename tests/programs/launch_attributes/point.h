struct Point { float x, y, z; short id; };
