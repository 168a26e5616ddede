// What the command says. A text may quote names of a model, which anybody may have written: control characters, which
// would move the cursor of a terminal or change its title, are shown as \x1b. Failing to write throws nothing:
// finish_process() finds it.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace polhode {

/// Control characters of ASCII and Latin-1, in UTF-8, as \x1b or \u009b; ends of lines and tabs stay.
std::string printable(std::string_view text);

void write_text_to(std::FILE* stream, std::string_view text) noexcept;

/// To standard output.
template <class... T>
void say(fmt::format_string<T...> format, T&&... values) {
  write_text_to(stdout, printable(fmt::format(format, std::forward<T>(values)...)));
}

/// To standard error.
template <class... T>
void complain(fmt::format_string<T...> format, T&&... values) {
  write_text_to(stderr, printable(fmt::format(format, std::forward<T>(values)...)));
}

/// To standard output as it is: JSON, for programs.
template <class... T>
void print_data(fmt::format_string<T...> format, T&&... values) {
  write_text_to(stdout, fmt::format(format, std::forward<T>(values)...));
}

}  // namespace polhode
