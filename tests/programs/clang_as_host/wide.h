struct Wide { __int128 n; char c; };
struct Empty {};
struct Bits { int low : 3; long high : 40; };
enum Kind : unsigned char { EARLY, LATE = 200 };
