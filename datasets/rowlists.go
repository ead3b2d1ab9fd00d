package datasets

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"dgplab/datasets/files"
	"dgplab/datasets/table"
	"dgplab/datasets/wording"
)

// rowLists are the keys of a file with the rows of the parts.
var rowLists = []string{"train", "validation", "test"}

// listedRow is an entry of a file with rows: the row, from 0, and the position of the entry.
type listedRow struct {
	row int
	at  string // test[3] or line 4
}

// content reads the file of a split. It returns nil for a split without one.
func (s Split) content() ([]byte, error) {
	if s.File == "" {
		return nil, nil
	}
	file, err := files.OpenLinked(s.File)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	const most = 1 << 30
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && len(text) > most {
		err = fmt.Errorf("%s is larger than %d bytes", s.File, most)
	}
	return text, err
}

// listed returns the rows of the parts that text, the content of the file of the split, names. If it names no
// training rows, they are all others. If it names no validation rows, a share of the training rows is drawn.
func (s Split) listed(
	ds *Dataset, text []byte, share float64, seed uint64,
) (train, validation, test []int, err error) {
	var lists map[string][]listedRow
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		lists, err = rowsOfJSON(text)
	} else {
		lists, err = rowsOfText(text)
	}
	if err == nil {
		train, validation, test, err = ds.locate(lists)
	}
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%s: %w", s.File, err)
	}
	if len(validation) == 0 {
		train, validation = validationRows(train, share, seed)
	}
	return train, validation, test, nil
}

// rowsOfText reads test rows, one in each line. Lines may be blank or begin with #.
func rowsOfText(text []byte) (map[string][]listedRow, error) {
	var list []listedRow
	for k, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		entry, err := readRow(line, fmt.Sprintf("line %d", k+1))
		if err != nil {
			return nil, err
		}
		list = append(list, entry)
	}
	return map[string][]listedRow{"test": list}, nil
}

// rowsOfJSON reads an object with lists of rows.
func rowsOfJSON(text []byte) (map[string][]listedRow, error) {
	var object map[string][]json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil {
		return nil, fmt.Errorf("want {\"train\": [...], \"validation\": [...], \"test\": [...]} "+
			"or only test: %w", err)
	}
	lists := map[string][]listedRow{}
	for _, key := range rowLists {
		for k, item := range object[key] {
			entry, err := readRow(string(item), fmt.Sprintf("%s[%d]", key, k))
			if err != nil {
				return nil, err
			}
			lists[key] = append(lists[key], entry)
		}
		delete(object, key)
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		return nil, fmt.Errorf("unknown list %s%s", table.Excerpt(key),
			wording.DidYouMeanOr(key, rowLists, "the lists are "+strings.Join(rowLists, ", ")))
	}
	return lists, nil
}

// readRow reads an entry.
func readRow(text, at string) (listedRow, error) {
	row, err := strconv.Atoi(text)
	if err != nil || row < 0 {
		return listedRow{}, fmt.Errorf("%s: %s is not a row; want a whole number from 0",
			at, table.Excerpt(text))
	}
	return listedRow{row, at}, nil
}

// locate returns the rows of the data set in the lists, ascending. Rows of the file that the data set leaves
// out for a missing input are in no part.
func (ds *Dataset) locate(lists map[string][]listedRow) (train, validation, test []int, err error) {
	n, _ := ds.Y.Dims()
	numbers := ds.fileRows
	if numbers == nil {
		numbers = consecutive(n)
	}
	total := max(n, ds.allRows)
	type place struct{ part, at string }
	places := make(map[int]place)
	for _, key := range rowLists {
		for _, entry := range lists[key] {
			if entry.row >= total {
				return nil, nil, nil, fmt.Errorf("%s: there is no row %d; the rows are 0 to %d",
					entry.at, entry.row, total-1)
			}
			if before, twice := places[entry.row]; twice {
				return nil, nil, nil, fmt.Errorf("%s: row %d is in %s too", entry.at, entry.row, before.at)
			}
			places[entry.row] = place{key, entry.at}
		}
	}
	if len(lists["test"]) == 0 {
		return nil, nil, nil, errors.New("it names no test rows")
	}
	for row, number := range numbers {
		switch places[number].part {
		case "train":
			train = append(train, row)
		case "validation":
			validation = append(validation, row)
		case "test":
			test = append(test, row)
		default:
			if len(lists["train"]) == 0 {
				train = append(train, row)
			}
		}
	}
	return train, validation, test, nil
}
