// A mark for the few functions that a step spends most of its time in.
#pragma once

/// Inlines everything that the function calls. Off under sanitizers, whose checks make such functions huge.
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
#define POLHODE_FLATTEN [[gnu::flatten]]
#else
#define POLHODE_FLATTEN
#endif
