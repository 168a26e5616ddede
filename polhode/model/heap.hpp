// Memory that was freed goes back to the machine.
#pragma once

#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace polhode {

/// Reading and starting a large model leave holes between what stays; the C library keeps them, though a run may never
/// fill them.
inline void give_back_freed_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace polhode
