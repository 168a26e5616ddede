// A mark for the few functions that a step spends most of its time in.
#pragma once

/// A function in one piece, with all that it calls. Not where sanitizers look at every access, which makes such pieces huge.
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
#define POLHODE_IN_ONE_PIECE [[gnu::flatten]]
#else
#define POLHODE_IN_ONE_PIECE
#endif
