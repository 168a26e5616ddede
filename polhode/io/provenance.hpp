// What made a result: program, build, machine and date. Whoever wants the same bits needs the same of all but the date.
#pragma once

#include <string>
#include <string_view>

namespace polhode {

/// Of this build and this moment, for a model: a JSON object with polhode, commit (of the source, if it was built from
/// git; "-dirty": with changes), compiler, instructions, library (of C, whose sines differ), date (UTC) and model_sha256.
std::string make_provenance(std::string_view model_json);

/// In one line for people: "polhode 0.1.0, commit 1a2b3c4, gcc 12.2.0, AVX2, glibc 2.36, 2026-01-31T12:00:00Z". Where
/// the text is none of make_provenance, the version `written_by` alone.
std::string provenance_text(const std::string& provenance_json, const std::string& written_by);

/// The commit that the library was built from; empty where it was not built from git.
std::string_view source_commit();

}  // namespace polhode
