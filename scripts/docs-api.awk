# Reads headers for scripts/docs-api. pass=types: lines "TYPE|pointer" for types that hold pointers, "TYPE|destroy|NAME"
# for functions that end an object's life, "TYPE|lifetime|TEXT". pass=functions: these lines, then a header; prints a line
# for each function.

function trim(s) { gsub(/[ \t]+/, " ", s); sub(/^ /, "", s); sub(/ $/, "", s); return s }

# What a comment says behind "Lifetime: ".
function lifetime_in(comment, at) {
  at = index(comment, "Lifetime: ")
  if (!at) return ""
  comment = trim(substr(comment, at + 10))
  sub(/\.$/, "", comment)
  return comment
}

# ---- types

function end_of_type(name, comment) {
  if (pointers) { print name "|pointer"; holds[name] = 1 }
  if (lifetime_in(comment) != "") print name "|lifetime|" lifetime_in(comment)
}

function read_types(line, code, comment, name) {
  code = line; comment = ""
  if (index(code, "/*")) { comment = substr(code, index(code, "/*") + 2); sub(/\*\/.*/, "", comment); code = substr(code, 1, index(code, "/*") - 1) }
  if (code ~ /^typedef (struct|enum) [a-z_]+ \{/) { inside = 1; pointers = 0; return }
  if (inside && code ~ /^\}/) {
    name = code; sub(/^\} */, "", name); sub(/;.*/, "", name)
    end_of_type(name, comment)
    inside = 0
  } else if (inside) {
    if (code ~ /\*/) pointers = 1
    for (name in holds) if (code ~ ("(^|[ \t])" name "[ \t]")) pointers = 1
  }
}

# ---- functions

function argument_name(argument) { sub(/\[.*/, "", argument); sub(/.*[ *]/, "", argument); return argument }

# How long what the function gives away lives, by its prototype alone; "?": that must be said.
function by_prototype(result, name, list, count, i, argument, object) {
  if (name ~ /_(destroy|close|release)$/) {
    return "destroys `" argument_name(list[count]) "`"
  }
  for (i = 1; i <= count; i++) {
    argument = list[i]
    if (argument ~ /^picus_[a-z_]+ \*\*out$/) {
      object = argument; sub(/ .*/, "", object)
      return object in destroy ? "`*out` until `" destroy[object] "`" : "?"
    }
    if (argument ~ /^const [a-z_]+ \*\*/) return "?"
    if (argument ~ /^picus_[a-z_]+ \*[a-z]/) {
      object = argument; sub(/ .*/, "", object)
      if (object in life) return life[object]
      if (object in pointer) return object in destroy ? "contents of `" argument_name(argument) "` until `" destroy[object] "`" : "?"
    }
  }
  if (name ~ /^picus_default_/) return "a copy; its texts are constants"
  if (result in life) return life[result]
  if (result ~ /\*/) return "?"
  if (result in pointer) return "?"
  if (result == "void" || result == "picus_status") return "-"
  return "a copy"
}

function returns(result) {
  if (result == "void") return "nothing"
  if (result == "picus_status") return "status"
  return "`" result "`"
}

# said: behind the function, or in the comment right before it; of_group: in the comment before a group of functions.
function emit(prototype, said, of_group, result, name, arguments, list, count, i, lives) {
  sub(/PICUS_API /, "", prototype); sub(/;.*/, "", prototype)
  prototype = trim(prototype)
  arguments = prototype; sub(/^[^(]*\(/, "", arguments); sub(/\)$/, "", arguments)
  result = prototype; sub(/\(.*/, "", result)
  name = result; sub(/.*[ *]/, "", name)
  result = trim(substr(result, 1, length(result) - length(name)))
  count = split(arguments, list, ", ")
  lives = said != "" ? said : by_prototype(result, name, list, count)
  if (lives == "?" && of_group != "") lives = of_group
  if (lives == "?") {
    print "docs-api: " header ": say how long what " name " gives lives: /* Lifetime: ... */" >"/dev/stderr"
    bad = 1
  }
  print header "|" prototype "|" returns(result) "|" lives
}

# A function with the comment behind it, which may go on in the next lines.
function finish_function() {
  if (declaration == "") return
  said = lifetime_in(behind)
  if (said == "" && is_first) said = lifetime_in(before)
  emit(declaration, said, lifetime_in(before))
  declaration = ""; behind = ""; is_first = 0
}

function read_functions(line, at) {
  if (in_behind) {
    behind = behind " " line
    if (line ~ /\*\//) { in_behind = 0; sub(/\*\/.*/, "", behind); gsub(/ \* /, " ", behind); finish_function() }
    return
  }
  if (collecting) declaration = declaration " " line
  else if (line ~ /^PICUS_API /) { declaration = line; collecting = 1; in_before = 0 }
  else if (line ~ /^\/\*/) { before = line; is_first = 1; in_before = line !~ /\*\// }
  else if (in_before) { before = before " " line; in_before = line !~ /\*\// }
  else { before = ""; is_first = 0 } # a blank line or a type ends a group
  if (in_before == 0) { gsub(/ \* /, " ", before); sub(/\*\/.*/, "", before) }
  if (!collecting || declaration !~ /;/) return
  collecting = 0
  at = index(declaration, "/*")
  if (at) {
    behind = substr(declaration, at + 2)
    if (behind !~ /\*\//) { in_behind = 1; return }
    sub(/\*\/.*/, "", behind)
  }
  finish_function()
}

pass == "types" {
  if ($0 ~ /^PICUS_API void picus_[a-z_]+_(destroy|close|release)\(/) {
    name = $3; sub(/\(.*/, "", name)
    object = name; sub(/_(destroy|close|release)$/, "", object)
    print object "|destroy|" name
  }
  read_types($0)
  next
}
FNR == NR {
  split($0, field, "|")
  if (field[2] == "pointer") pointer[field[1]] = 1
  if (field[2] == "destroy") destroy[field[1]] = field[3]
  if (field[2] == "lifetime") life[field[1]] = field[3]
  next
}
{ read_functions($0) }
END { if (pass == "functions") exit bad }
