package rundir

// members calls visit for every member of a JSON object, which is known to be one: with
// the key as it is written, without its quotation marks, and the text of the value. It
// reads some members of a large object without decoding the others.
func members(object []byte, visit func(key, value []byte)) {
	depth, from := 0, 0 // of the value that is being read
	var key []byte
	end := func(at int) {
		if key != nil {
			visit(key, object[from:at])
		}
		key, from = nil, at+1
	}
	for i := 0; i < len(object); i++ {
		switch c := object[i]; {
		case c == '"':
			first := i + 1
			for i = first; i < len(object) && object[i] != '"'; i++ {
				if object[i] == '\\' {
					i++
				}
			}
			if depth == 1 && key == nil {
				key = object[first:min(i, len(object))]
			}
		case c == '{' || c == '[':
			depth++
			if depth == 1 {
				from = i + 1
			}
		case c == '}' || c == ']':
			depth--
			if depth == 0 {
				end(i)
				return
			}
		case depth == 1 && c == ':':
			from = i + 1
		case depth == 1 && c == ',':
			end(i)
		}
	}
}
