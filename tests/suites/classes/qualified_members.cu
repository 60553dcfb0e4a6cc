//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(0)
// Members by names with their class: of objects, pointers, values, this, in lambdas and templates.
struct B { int x; static const int N = 4; int arr[2]; enum E { e1 = 9 }; __device__ B(int v = 1) : x(v) {} __device__ int f() const { return x + 1; } __device__ int f(int k) { return x * k; } template <class T> __device__ T g(T t) { return t + x; } template <class T> __device__ static T st() { return T(3); } __device__ B &operator+=(int k) { x += k; return *this; } __device__ int operator[](int i) const { return x * i; } __device__ static int s(int k) { return k * 2; } };
struct C { int x; __device__ C() : x(50) {} __device__ int f() const { return x; } };
struct D : B, C { int x; __device__ D() : B(5), x(2) {} __device__ int f() const { return B::f() + C::f() * 10 + x * 1000; }
 __device__ int all() { auto l = [=] { return B::x + this->C::x + B::f(2); }; auto r = [&] { B::x += 1; return this->B::x; }; return l() + r() + this->B::x + this->B::g<int>(3) + B::arr[0] + this->B::N + B::e1 + (*this).B::operator[](2) + this->D::x; } 
 __device__ D &operator+=(int k) { B::operator+=(k); this->B::operator+=(1); return *this; } };
struct F : D { int x; __device__ int h() { return D::B::x + this->D::B::f() + D::C::x + this->B::f(); } };
template <class T> struct Wrap : T { int x; __device__ int call() { return T::f() + this->T::x + this->T::f() + T::x; } };
template <class T> struct TB { T x; __device__ T get() { return x; } }; template <class T> struct TD : TB<T> { T x; __device__ T both() { return TB<T>::x + this->TB<T>::x + this->TB<T>::get() + x; } };
__device__ D mk() { return D(); }
extern "C" __global__ void test(float *out) { int t = threadIdx.x; B b1(3); C c1; D d; d.B::arr[0] = t; const D cd; D *p = &d; const B &rb = d; float s = b1.x + c1.x + d.f() + cd.D::f() + cd.B::f() + p->B::f(3) + p->C::x + d.all() + p->B::s(3) + d.B::st<int>() + p->B::g(2); 
 d += 3; s += d.B::x; F f; f.x = 1; f.D::x = 3; s += f.h() + f.D::x + f.B::x + f.C::f(); Wrap<B> w; w.x = 1; s += w.call() + w.B::x; TD<int> td; td.x = 4; td.TB<int>::x = 5; s += td.both() + td.TB<int>::get(); s += mk().B::f() + mk().C::x; s += rb.B::f() + p->B::N + p->B::e1 + p->::B::f(); (p->B::f)(); out[t] = s + sizeof(d.B::arr); s = p->D::C::f(); out[t] += s; }
