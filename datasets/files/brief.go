package files

// briefHead and briefTail are the numbers of characters that Brief and BriefText keep at both ends of a text.
const briefHead, briefTail = 160, 80

// Brief returns an error about the content of a file with a text of a few lines at most; see BriefText.
// errors.Is and errors.As find the same errors in it.
func Brief(err error) error {
	if err == nil {
		return nil
	}
	whole := err.Error()
	text := BriefText(whole)
	if text == whole {
		return err
	}
	return &briefError{error: err, text: text}
}

// BriefText shortens a text about the content of a file. The parsers of JSON, TOML and tables quote what
// they could not read, and that may be the whole file. The middle of a long text is left out, because its
// ends say where and what is wrong.
func BriefText(text string) string {
	all := []rune(text)
	if len(all) <= briefHead+briefTail {
		return text
	}
	return string(all[:briefHead]) + " ... " + string(all[len(all)-briefTail:])
}

// briefError is an error with a shorter text.
type briefError struct {
	error
	text string
}

// Error implements error.
func (e *briefError) Error() string { return e.text }

// Unwrap returns the error with the whole text.
func (e *briefError) Unwrap() error { return e.error }
