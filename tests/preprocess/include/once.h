#pragma once
#define ONCE_H
once
#include "nested.h"
once again __LINE__
