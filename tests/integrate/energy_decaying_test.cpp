#include <gtest/gtest.h>
#include "simulate/runs.hpp"
