/* Lists of values (C++17 21.9). The compiler makes objects of them from what is in braces. */
__WEFT_STD_BEGIN

template <typename T> class initializer_list {
public:
    typedef T value_type;
    typedef const T &reference;
    typedef const T &const_reference;
    typedef size_t size_type;
    typedef const T *iterator;
    typedef const T *const_iterator;

private:
    const T *_M_array;
    size_t _M_len;

public:
    __WEFT_STD_FUNCTION initializer_list() noexcept : _M_array(0), _M_len(0) {}
    __WEFT_STD_FUNCTION size_t size() const noexcept { return _M_len; }
    __WEFT_STD_FUNCTION const T *begin() const noexcept { return _M_array; }
    __WEFT_STD_FUNCTION const T *end() const noexcept { return _M_array + _M_len; }
};
template <typename T> __WEFT_STD_FUNCTION const T *begin(initializer_list<T> list) noexcept { return list.begin(); }
template <typename T> __WEFT_STD_FUNCTION const T *end(initializer_list<T> list) noexcept { return list.end(); }

__WEFT_STD_END
