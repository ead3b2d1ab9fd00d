package rundir

// visitMembers calls visit with the raw key (without quotation marks) and the raw value of every
// member of a valid JSON object. It can read some members of a large object without decoding the
// others.
func visitMembers(object []byte, visit func(key, value []byte)) {
	depth, from := 0, 0 // start of the current value
	var key []byte
	end := func(at int) {
		if key != nil {
			visit(key, object[from:at])
		}
		key, from = nil, at+1
	}
	for i := 0; i < len(object); i++ {
		c := object[i]
		switch {
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
