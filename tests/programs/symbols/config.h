struct Config { double limits[2]; int mode; char name[5]; };
