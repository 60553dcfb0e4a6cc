/* Traits of types, of `std` and of `cuda::std`: the headers that include this text say which by `__WEFT_STD_BEGIN` and `__WEFT_STD_END`, and how
   functions are declared there by `__WEFT_STD_FUNCTION`. */
__WEFT_STD_BEGIN

template <typename T, T v>
struct integral_constant {
    static constexpr T value = v;
    typedef T value_type;
    typedef integral_constant<T, v> type;
    __WEFT_STD_FUNCTION operator value_type() const noexcept { return value; }
    __WEFT_STD_FUNCTION value_type operator()() const noexcept { return value; }
};
template <bool v> using bool_constant = integral_constant<bool, v>;
typedef integral_constant<bool, true> true_type;
typedef integral_constant<bool, false> false_type;

template <bool condition, typename T = void> struct enable_if {};
template <typename T> struct enable_if<true, T> { typedef T type; };
template <bool condition, typename T = void> using enable_if_t = typename enable_if<condition, T>::type;

template <bool condition, typename T, typename U> struct conditional { typedef T type; };
template <typename T, typename U> struct conditional<false, T, U> { typedef U type; };
template <bool condition, typename T, typename U> using conditional_t = typename conditional<condition, T, U>::type;

template <typename... Ts> struct __weft_void { typedef void type; };
template <typename... Ts> using void_t = typename __weft_void<Ts...>::type;

template <typename T> struct remove_const { typedef T type; };
template <typename T> struct remove_const<const T> { typedef T type; };
template <typename T> struct remove_volatile { typedef T type; };
template <typename T> struct remove_volatile<volatile T> { typedef T type; };
template <typename T> struct remove_cv { typedef T type; };
template <typename T> struct remove_cv<const T> { typedef T type; };
template <typename T> struct remove_cv<volatile T> { typedef T type; };
template <typename T> struct remove_cv<const volatile T> { typedef T type; };
template <typename T> struct remove_reference { typedef T type; };
template <typename T> struct remove_reference<T &> { typedef T type; };
template <typename T> struct remove_reference<T &&> { typedef T type; };
template <typename T> struct remove_pointer { typedef T type; };
template <typename T> struct remove_pointer<T *> { typedef T type; };
template <typename T> struct remove_pointer<T *const> { typedef T type; };
template <typename T> struct remove_pointer<T *volatile> { typedef T type; };
template <typename T> struct remove_pointer<T *const volatile> { typedef T type; };
template <typename T> struct remove_extent { typedef T type; };
template <typename T> struct remove_extent<T[]> { typedef T type; };
template <typename T, size_t n> struct remove_extent<T[n]> { typedef T type; };
template <typename T> struct remove_all_extents { typedef T type; };
template <typename T> struct remove_all_extents<T[]> { typedef typename remove_all_extents<T>::type type; };
template <typename T, size_t n> struct remove_all_extents<T[n]> { typedef typename remove_all_extents<T>::type type; };
template <typename T> struct add_const { typedef const T type; };
template <typename T> struct add_volatile { typedef volatile T type; };
template <typename T> struct add_cv { typedef const volatile T type; };
template <typename T> struct add_pointer { typedef typename remove_reference<T>::type *type; };

template <typename T> struct is_void : false_type {};
template <> struct is_void<void> : true_type {};
template <> struct is_void<const void> : true_type {};
template <> struct is_void<volatile void> : true_type {};
template <> struct is_void<const volatile void> : true_type {};

template <typename T, bool is_void> struct __weft_reference { typedef T &lvalue; typedef T &&rvalue; };
template <typename T> struct __weft_reference<T, true> { typedef T lvalue; typedef T rvalue; };
template <typename T> struct add_lvalue_reference { typedef typename __weft_reference<T, is_void<T>::value>::lvalue type; };
template <typename T> struct add_rvalue_reference { typedef typename __weft_reference<T, is_void<T>::value>::rvalue type; };

template <typename T> using remove_const_t = typename remove_const<T>::type;
template <typename T> using remove_volatile_t = typename remove_volatile<T>::type;
template <typename T> using remove_cv_t = typename remove_cv<T>::type;
template <typename T> using remove_reference_t = typename remove_reference<T>::type;
template <typename T> using remove_pointer_t = typename remove_pointer<T>::type;
template <typename T> using remove_extent_t = typename remove_extent<T>::type;
template <typename T> using remove_all_extents_t = typename remove_all_extents<T>::type;
template <typename T> using add_const_t = typename add_const<T>::type;
template <typename T> using add_volatile_t = typename add_volatile<T>::type;
template <typename T> using add_cv_t = typename add_cv<T>::type;
template <typename T> using add_pointer_t = typename add_pointer<T>::type;
template <typename T> using add_lvalue_reference_t = typename add_lvalue_reference<T>::type;
template <typename T> using add_rvalue_reference_t = typename add_rvalue_reference<T>::type;

template <typename T, typename U> struct is_same : false_type {};
template <typename T> struct is_same<T, T> : true_type {};

template <typename T> struct __weft_integral : false_type {};
template <> struct __weft_integral<bool> : true_type {};
template <> struct __weft_integral<char> : true_type {};
template <> struct __weft_integral<signed char> : true_type {};
template <> struct __weft_integral<unsigned char> : true_type {};
template <> struct __weft_integral<short> : true_type {};
template <> struct __weft_integral<unsigned short> : true_type {};
template <> struct __weft_integral<int> : true_type {};
template <> struct __weft_integral<unsigned int> : true_type {};
template <> struct __weft_integral<long> : true_type {};
template <> struct __weft_integral<unsigned long> : true_type {};
template <> struct __weft_integral<long long> : true_type {};
template <> struct __weft_integral<unsigned long long> : true_type {};
template <> struct __weft_integral<wchar_t> : true_type {};
template <typename T> struct __weft_floating : false_type {};
template <> struct __weft_floating<float> : true_type {};
template <> struct __weft_floating<double> : true_type {};
template <> struct __weft_floating<long double> : true_type {};
template <typename T> struct __weft_pointer : false_type {};
template <typename T> struct __weft_pointer<T *> : true_type {};

template <typename T> struct is_integral : bool_constant<__weft_integral<typename remove_cv<T>::type>::value> {};
template <typename T> struct is_floating_point : bool_constant<__weft_floating<typename remove_cv<T>::type>::value> {};
template <typename T> struct is_pointer : bool_constant<__weft_pointer<typename remove_cv<T>::type>::value> {};
/* The type of `nullptr` is not supported. */
template <typename T> struct is_null_pointer : false_type {};
template <typename T> struct is_array : false_type {};
template <typename T> struct is_array<T[]> : true_type {};
template <typename T, size_t n> struct is_array<T[n]> : true_type {};
template <typename T> struct is_lvalue_reference : false_type {};
template <typename T> struct is_lvalue_reference<T &> : true_type {};
template <typename T> struct is_rvalue_reference : false_type {};
template <typename T> struct is_rvalue_reference<T &&> : true_type {};
template <typename T> struct is_reference : false_type {};
template <typename T> struct is_reference<T &> : true_type {};
template <typename T> struct is_reference<T &&> : true_type {};
template <typename T> struct is_const : false_type {};
template <typename T> struct is_const<const T> : true_type {};
template <typename T> struct is_volatile : false_type {};
template <typename T> struct is_volatile<volatile T> : true_type {};
template <typename T> struct is_enum : bool_constant<__is_enum(T)> {};
template <typename T> struct is_union : bool_constant<__is_union(T)> {};
template <typename T> struct is_class : bool_constant<__is_class(T)> {};
template <typename T> struct is_function : bool_constant<__is_function(T)> {};
template <typename T> struct is_trivially_copyable : bool_constant<__is_trivially_copyable(T)> {};
template <typename T> struct is_trivial : bool_constant<__is_trivial(T)> {};
template <typename T> struct is_empty : bool_constant<__is_empty(T)> {};
template <typename T, typename U> struct is_base_of : bool_constant<__is_base_of(T, U)> {};

template <typename T> struct is_arithmetic : bool_constant<is_integral<T>::value || is_floating_point<T>::value> {};
template <typename T> struct is_fundamental : bool_constant<is_arithmetic<T>::value || is_void<T>::value || is_null_pointer<T>::value> {};
template <typename T> struct is_compound : bool_constant<!is_fundamental<T>::value> {};
template <typename T> struct is_scalar
    : bool_constant<is_arithmetic<T>::value || is_enum<T>::value || is_pointer<T>::value || is_null_pointer<T>::value> {};
template <typename T> struct is_object : bool_constant<!is_function<T>::value && !is_reference<T>::value && !is_void<T>::value> {};

template <typename T, bool is_arithmetic> struct __weft_sign { static constexpr bool is_negative = false, is_positive = false; };
template <typename T> struct __weft_sign<T, true> {
    static constexpr bool is_negative = T(-1) < T(0), is_positive = T(0) < T(-1);
};
template <typename T> struct is_signed : bool_constant<__weft_sign<T, is_arithmetic<T>::value>::is_negative> {};
template <typename T> struct is_unsigned : bool_constant<__weft_sign<T, is_arithmetic<T>::value>::is_positive> {};

template <typename T, bool is_array, bool is_function> struct __weft_decay { typedef typename remove_cv<T>::type type; };
template <typename T> struct __weft_decay<T, true, false> { typedef typename remove_extent<T>::type *type; };
template <typename T> struct __weft_decay<T, false, true> { typedef T *type; };
template <typename T> struct decay {
    typedef typename remove_reference<T>::type plain;
    typedef typename __weft_decay<plain, is_array<plain>::value, is_function<plain>::value>::type type;
};
template <typename T> using decay_t = typename decay<T>::type;

template <typename T> struct rank : integral_constant<size_t, 0> {};
template <typename T> struct rank<T[]> : integral_constant<size_t, 1 + rank<T>::value> {};
template <typename T, size_t n> struct rank<T[n]> : integral_constant<size_t, 1 + rank<T>::value> {};
template <typename T, unsigned dimension = 0> struct extent : integral_constant<size_t, 0> {};
template <typename T> struct extent<T[], 0> : integral_constant<size_t, 0> {};
template <typename T, size_t n> struct extent<T[n], 0> : integral_constant<size_t, n> {};
template <typename T, unsigned dimension> struct extent<T[], dimension> : integral_constant<size_t, extent<T, dimension - 1>::value> {};
template <typename T, size_t n, unsigned dimension> struct extent<T[n], dimension> : integral_constant<size_t, extent<T, dimension - 1>::value> {};
template <typename T> struct alignment_of : integral_constant<size_t, alignof(T)> {};

template <typename T> struct __weft_signs;
template <> struct __weft_signs<char> { typedef signed char with; typedef unsigned char without; };
template <> struct __weft_signs<signed char> { typedef signed char with; typedef unsigned char without; };
template <> struct __weft_signs<unsigned char> { typedef signed char with; typedef unsigned char without; };
template <> struct __weft_signs<short> { typedef short with; typedef unsigned short without; };
template <> struct __weft_signs<unsigned short> { typedef short with; typedef unsigned short without; };
template <> struct __weft_signs<int> { typedef int with; typedef unsigned int without; };
template <> struct __weft_signs<unsigned int> { typedef int with; typedef unsigned int without; };
template <> struct __weft_signs<long> { typedef long with; typedef unsigned long without; };
template <> struct __weft_signs<unsigned long> { typedef long with; typedef unsigned long without; };
template <> struct __weft_signs<long long> { typedef long long with; typedef unsigned long long without; };
template <> struct __weft_signs<unsigned long long> { typedef long long with; typedef unsigned long long without; };
template <typename T> struct make_signed { typedef typename __weft_signs<T>::with type; };
template <typename T> struct make_signed<const T> { typedef const typename __weft_signs<T>::with type; };
template <typename T> struct make_unsigned { typedef typename __weft_signs<T>::without type; };
template <typename T> struct make_unsigned<const T> { typedef const typename __weft_signs<T>::without type; };
template <typename T> using make_signed_t = typename make_signed<T>::type;
template <typename T> using make_unsigned_t = typename make_unsigned<T>::type;

template <typename... Ts> struct conjunction : true_type {};
template <typename T> struct conjunction<T> : T {};
template <typename T, typename... Ts> struct conjunction<T, Ts...> : conditional_t<bool(T::value), conjunction<Ts...>, T> {};
template <typename... Ts> struct disjunction : false_type {};
template <typename T> struct disjunction<T> : T {};
template <typename T, typename... Ts> struct disjunction<T, Ts...> : conditional_t<bool(T::value), T, disjunction<Ts...>> {};
template <typename T> struct negation : bool_constant<!bool(T::value)> {};

template <typename T, typename U> inline constexpr bool is_same_v = __is_same(T, U);
template <typename T, typename U> inline constexpr bool is_base_of_v = __is_base_of(T, U);
template <typename T> inline constexpr bool is_void_v = is_void<T>::value;
template <typename T> inline constexpr bool is_null_pointer_v = is_null_pointer<T>::value;
template <typename T> inline constexpr bool is_integral_v = is_integral<T>::value;
template <typename T> inline constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <typename T> inline constexpr bool is_arithmetic_v = is_arithmetic<T>::value;
template <typename T> inline constexpr bool is_fundamental_v = is_fundamental<T>::value;
template <typename T> inline constexpr bool is_compound_v = is_compound<T>::value;
template <typename T> inline constexpr bool is_scalar_v = is_scalar<T>::value;
template <typename T> inline constexpr bool is_object_v = is_object<T>::value;
template <typename T> inline constexpr bool is_signed_v = is_signed<T>::value;
template <typename T> inline constexpr bool is_unsigned_v = is_unsigned<T>::value;
template <typename T> inline constexpr bool is_pointer_v = is_pointer<T>::value;
template <typename T> inline constexpr bool is_array_v = is_array<T>::value;
template <typename T> inline constexpr bool is_reference_v = is_reference<T>::value;
template <typename T> inline constexpr bool is_lvalue_reference_v = is_lvalue_reference<T>::value;
template <typename T> inline constexpr bool is_rvalue_reference_v = is_rvalue_reference<T>::value;
template <typename T> inline constexpr bool is_const_v = is_const<T>::value;
template <typename T> inline constexpr bool is_volatile_v = is_volatile<T>::value;
template <typename T> inline constexpr bool is_enum_v = __is_enum(T);
template <typename T> inline constexpr bool is_union_v = __is_union(T);
template <typename T> inline constexpr bool is_class_v = __is_class(T);
template <typename T> inline constexpr bool is_function_v = __is_function(T);
template <typename T> inline constexpr bool is_trivially_copyable_v = __is_trivially_copyable(T);
template <typename T> inline constexpr bool is_trivial_v = __is_trivial(T);
template <typename T> inline constexpr bool is_empty_v = __is_empty(T);
template <typename T> inline constexpr size_t rank_v = rank<T>::value;
template <typename T, unsigned dimension = 0> inline constexpr size_t extent_v = extent<T, dimension>::value;
template <typename T> inline constexpr size_t alignment_of_v = alignof(T);
template <typename... Ts> inline constexpr bool conjunction_v = conjunction<Ts...>::value;
template <typename... Ts> inline constexpr bool disjunction_v = disjunction<Ts...>::value;
template <typename T> inline constexpr bool negation_v = negation<T>::value;

__WEFT_STD_END
