// C++17 around C-style kernels: attributes, structured bindings, literals of the user's own, raw strings, constexpr, alignas, enum class.
//@ launch: encode grid=2 block=32
//@ arg: {u16:64805, {i16:3, i16:-2}, i64:0, {u32:168496141, 1, 2, 3}, 50, u8:7, i64:0}
//@ arg: out=u32[50]
//@ launch: shade grid=1 block=16
//@ arg: f32[4,16]=random(1)
//@ arg: out=u8[4,16]
//@ arg: i8:2
//@ arg: {f32:0.5, f32:1, f32:2, f32:4}
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

using namespace std::literals;

enum class Mode : std::int8_t { Plain, Inverted, Gamma = 2, Last = Gamma };
enum struct Flag { off, on };
enum : unsigned { kMagic = 0xfeedu, kLimit = 1'000u };

struct alignas(16) Key {
    unsigned words[4];
};

struct Settings {
    unsigned rotate : 5;
    unsigned invert : 1, : 2;
    int bias : 8;
    struct Inner {
        short low, high;
    } inner;
    Key key;
    int n;
    unsigned char tail;
};

static_assert(alignof(Key) == 16 && sizeof(Key) == 16, "one load");
static_assert(sizeof(Settings) % alignof(Key) == 0);
static_assert(std::is_standard_layout_v<Settings> && std::is_trivially_copyable<Settings>::value);
static_assert(offsetof(Settings, key) == 16);

constexpr unsigned long long operator""_KiB(unsigned long long n) { return n << 10; }
constexpr long double operator"" _deg(long double degrees) { return degrees * 3.14159265358979323846L / 180; }
inline std::string operator""_upper(const char *text, std::size_t n)
{
    std::string s(text, n);
    std::transform(s.begin(), s.end(), s.begin(), [](unsigned char c) { return std::toupper(c); });
    return s;
}

constexpr auto kUsage = R"(usage: encode [options]
    "quoted", back\slash, __global__ void not_a_kernel(int *p) { }
    )" "--help\n";
constexpr const char *kJson = R"json({"grid": [1, 2], "text": ")\"", "open": "{{{ (("})json";
inline constexpr std::array<std::pair<Mode, std::string_view>, 3> kModes{{
    {Mode::Plain, "plain"sv}, {Mode::Inverted, "inverted"sv}, {Mode::Gamma, "gamma"sv}}};

constexpr int factorial(int n)
{
    int result = 1;
    for (int i = 2; i <= n; ++i) result *= i;
    return result;
}
static_assert(factorial(5) == 120, "at compile time");

template <typename... Ts> constexpr auto sum(Ts... values) { return (values + ... + 0); }
static_assert(sum(1, 2, 3) == 6 && sum() == 0);
template <auto Value> struct Constant { static constexpr auto value = Value; };
template <class... Fs> struct Overloaded : Fs... { using Fs::operator()...; };
template <class... Fs> Overloaded(Fs...) -> Overloaded<Fs...>;

[[maybe_unused]] static int unused_counter = 0;
[[deprecated("use encode")]] void old_encode();
[[noreturn]] inline void fail [[gnu::cold]] (std::string_view why)
{
    std::cerr << why << '\n';
    std::exit(EXIT_FAILURE);
}

namespace tools::detail {
[[nodiscard]] inline std::optional<int> parse(std::string_view text) noexcept
{
    int value = 0;
    for (char c : text) {
        if (c < '0' || c > '9') return std::nullopt;
        value = 10 * value + (c - '0');
    }
    return value;
}
} // namespace tools::detail

__global__ void encode(const __grid_constant__ Settings settings, unsigned *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= settings.n) return;
    unsigned word = settings.key.words[i & 3] ^ (i * 2654435761u);
    if (settings.rotate) word = __funnelshift_l(word, word, settings.rotate);
    if (settings.invert) word = ~word;
    out[i] = word + settings.bias + settings.inner.low * settings.inner.high + settings.tail;
}

__global__ void shade(const float *in, unsigned char *out, Mode mode, float4 gain)
{
    const float4 v = ((const float4 *)in)[threadIdx.x];
    float x = v.x * gain.x, y = v.y * gain.y, z = v.z * gain.z, w = v.w * gain.w;
    switch (mode) {
    case Mode::Inverted: x = 1 - x; y = 1 - y; z = 1 - z; w = 1 - w; break;
    case Mode::Gamma: x *= x; y *= y; z *= z; w *= w; [[fallthrough]];
    case Mode::Plain: break;
    }
    uchar4 bytes;
    bytes.x = (unsigned char)__float2uint_rn(fminf(x, 1.0f) * 255);
    bytes.y = (unsigned char)__float2uint_rn(__saturatef(y) * 255);
    bytes.z = (unsigned char)__float2uint_rn(__saturatef(z) * 255);
    bytes.w = (unsigned char)__float2uint_rn(__saturatef(w) * 255);
    reinterpret_cast<uchar4 *>(out)[threadIdx.x] = bytes;
}

auto make_settings(int n, Flag invert = Flag::off) -> Settings
{
    Settings settings{};
    settings.rotate = 3, settings.invert = invert == Flag::on, settings.n = n;
    settings.inner = {1, -1};
    return settings;
}

decltype(auto) first_of(const std::tuple<int, double> &t) { return std::get<0>(t); }

struct Visitor {
    std::string operator()(int i) const { return std::to_string(i); }
    std::string operator()(const std::string &s) const { return s; }
};

int main(int argc, char *argv[])
{
    using Option = std::variant<std::monostate, int, std::string>;
    std::array<Option, 3> options{Option{}, 3, "text"s};
    for (const Option &option : options)
        std::cout << std::visit(Overloaded{[](std::monostate) { return "-"s; }, [](int i) { return std::to_string(i); },
                                           [](const std::string &s) { return s + "!"_upper; }}, option);
    if (argc > 1; auto n = tools::detail::parse(argv[1])) std::cout << *n;
    else if (argc > 1) fail(kUsage);
    for (auto &&[mode, name] : kModes) {
        const auto settings = make_settings(static_cast<int>(4_KiB), mode == Mode::Inverted ? Flag::on : Flag::off);
        unsigned *out{};
        float *in{};
        if (auto code = cudaMalloc(&out, settings.n * sizeof *out); code != cudaSuccess) fail(cudaGetErrorString(code));
        encode<<<dim3{(kLimit + 31) / 32}, 32>>>(settings, out);
        shade<<<1, 16>>>(in, reinterpret_cast<unsigned char *>(out), mode, float4{1, 1, 1, 0.5f});
        std::cout << name << Constant<42>::value << 'x' << u8"é"[0] << kJson << '\n';
    }
    const auto [whole, part] = std::tuple{argc, static_cast<double>(90.0_deg)};
    auto timeout = 250ms + 1s;
    constexpr auto square = [](auto x) constexpr { return x * x; };
    static_assert(square(4) == 16);
    return first_of({whole, part}) == 0 && timeout.count() && !unused_counter ? 0b101 : 0x1p3 > 7;
}
