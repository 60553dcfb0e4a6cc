struct Pair { long a; double b; };
