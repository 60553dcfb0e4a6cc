/* Kinds of iterators and what is known of them, of `std` and of `cuda::std` (C++17 27.4). */
__WEFT_STD_BEGIN

/* That of `cuda::std` has a second parameter, which names have. */
#ifdef __WEFT_STD_NAME
#define __WEFT_SECOND(text)
#else
#define __WEFT_SECOND(text) , text
#endif

struct input_iterator_tag {};
struct output_iterator_tag {};
struct forward_iterator_tag : input_iterator_tag {};
struct bidirectional_iterator_tag : forward_iterator_tag {};
struct random_access_iterator_tag : bidirectional_iterator_tag {};

template <typename Iterator __WEFT_SECOND(typename = void)> struct iterator_traits {
    typedef typename Iterator::difference_type difference_type;
    typedef typename Iterator::value_type value_type;
    typedef typename Iterator::pointer pointer;
    typedef typename Iterator::reference reference;
    typedef typename Iterator::iterator_category iterator_category;
};
template <typename T> struct iterator_traits<T * __WEFT_SECOND(void)> {
    typedef decltype((char *)0 - (char *)0) difference_type;
    typedef typename remove_cv<T>::type value_type;
    typedef T *pointer;
    typedef T &reference;
    typedef random_access_iterator_tag iterator_category;
};

#undef __WEFT_SECOND
__WEFT_STD_END
