//@ launch: test grid=1 block=1
//@ arg: out=f32[256]=fill(0)
// Const objects without an initializer: of classes without members, with values for all members, with constructors.
struct Empty {};
struct Add { __device__ float operator()(float a, float b) const { return a + b; } };
struct Both { Add add; Empty empty[2]; static int shared; };
struct Derived : Add { float scale = 3; };
struct Part { float x = 5; };
struct Inner : Part { int i = 7; };
struct Made { float x; __device__ Made(float x = 11) : x(x) {} };
struct Defaulted { Made made; float y = 13; Defaulted() = default; };
class Private { public: __device__ float f() const { return 17; } private: Add add; };
template <typename T> struct Negate { __device__ T operator()(T x) const { return -x; } };
template <typename Op> __device__ float apply(float x) { const Op op; return op(x); }
union Nothing {};
extern "C" __global__ void test(float *out)
{
    const Empty empty; const Add add; const Both both; const Derived derived; const Inner inner; const Made made;
    const Defaulted defaulted; const Private hidden; const Add all[2]; const Nothing nothing; static const Add kept;
    const Add *made_by_new = new const Add;
    out[0] = sizeof empty + sizeof nothing + add(1, 2) + both.add(3, 4);
    out[1] = derived(derived.scale, 1) + inner.x + inner.i + made.x + defaulted.made.x + defaulted.y;
    out[2] = hidden.f() + all[1](2, 3) + kept(5, 6) + apply<Negate<float>>(19) + (*made_by_new)(1, 2);
    delete made_by_new;
}
