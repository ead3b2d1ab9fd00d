package table

import (
	"archive/zip"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

const excelName = "an Excel workbook"

// isWorkbook reports whether a zip archive is an Excel workbook.
func (s *source) isWorkbook() bool {
	at, ok := s.file.(io.ReaderAt)
	if !ok {
		return false
	}
	size, err := s.file.Seek(0, io.SeekEnd)
	if err != nil {
		return false
	}
	archive, err := zip.NewReader(at, size)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(archive.File, func(f *zip.File) bool { return f.Name == "xl/workbook.xml" })
}

// excelRows iterates over the rows of a sheet of a workbook. Numbers are those stored in the file, not as
// displayed. Dates have the form 2006-01-02 or 2006-01-02 15:04:05.
type excelRows struct {
	file     *excelize.File
	sheet    string
	rows     *excelize.Rows
	epoch    bool // days count from 1904
	at       int
	width    int
	dateLike map[int]bool // by style
}

// newExcelRows opens a sheet by its name, or the first one. The note says which sheet of several is read.
func newExcelRows(s *source, sheet string) (rows *excelRows, note string, err error) {
	const largest = 1 << 30
	raw, err := s.raw()
	if err != nil {
		return nil, "", err
	}
	file, err := excelize.OpenReader(raw, excelize.Options{RawCellValue: true, UnzipSizeLimit: largest})
	if err != nil {
		return nil, "", err
	}
	names := file.GetSheetList()
	switch {
	case len(names) == 0:
		return nil, "", fmt.Errorf("the workbook has no sheet")
	case sheet == "":
		sheet = names[0]
		if len(names) > 1 {
			note = fmt.Sprintf("sheet %s of %s is read", Excerpt(sheet), ShortList(names))
		}
	case !slices.Contains(names, sheet):
		return nil, "", fmt.Errorf("the workbook has no sheet %s; the sheets are %s",
			Excerpt(sheet), ShortList(names))
	}
	properties, err := file.GetWorkbookProps()
	if err != nil {
		return nil, "", err
	}
	e := &excelRows{file: file, sheet: sheet, dateLike: map[int]bool{}}
	e.epoch = properties.Date1904 != nil && *properties.Date1904
	e.rows, err = file.Rows(sheet)
	return e, note, err
}

func (e *excelRows) next() ([]string, error) {
	for e.rows.Next() {
		e.at++
		cells, err := e.rows.Columns(excelize.Options{RawCellValue: true})
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(cells, func(cell string) bool { return strings.TrimSpace(cell) != "" }) {
			continue
		}
		for c, cell := range cells {
			cells[c], err = e.cell(c, cell)
			if err != nil {
				return nil, err
			}
		}
		for len(cells) < e.width { // empty cells at the end of a row are not stored
			cells = append(cells, "")
		}
		e.width = max(e.width, len(cells))
		return cells, nil
	}
	if err := e.rows.Error(); err != nil {
		return nil, err
	}
	return nil, io.EOF
}

func (e *excelRows) line() int { return e.at }

// cell returns the text of a cell. A number whose style shows a date is a date.
func (e *excelRows) cell(column int, text string) (string, error) {
	number, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text, nil
	}
	place, err := excelize.CoordinatesToCellName(column+1, e.at)
	if err != nil {
		return "", err
	}
	style, err := e.file.GetCellStyle(e.sheet, place)
	if err != nil {
		return "", err
	}
	isDate, known := e.dateLike[style]
	if !known {
		isDate = e.showsDate(style)
		e.dateLike[style] = isDate
	}
	if !isDate {
		return text, nil
	}
	when, err := excelize.ExcelDateToTime(number, e.epoch)
	if err != nil {
		return text, nil
	}
	switch {
	case number < 1:
		return when.Format("15:04:05"), nil
	case number == float64(int(number)):
		return when.Format("2006-01-02"), nil
	}
	return when.Format("2006-01-02 15:04:05"), nil
}

// showsDate reports whether a style displays numbers as dates or times: a built-in format of ECMA-376, part
// 1, section 18.8.30, or a format with letters for days, years or hours.
func (e *excelRows) showsDate(style int) bool {
	s, err := e.file.GetStyle(style)
	if err != nil {
		return false
	}
	if s.CustomNumFmt != nil {
		format := *s.CustomNumFmt
		for _, literal := range []string{`"`, `[`, `]`} {
			parts := strings.Split(format, literal)
			if literal == `"` {
				format = ""
				for k := 0; k < len(parts); k += 2 {
					format += parts[k]
				}
			}
		}
		return strings.ContainsAny(strings.ToLower(format), "dyh")
	}
	n := s.NumFmt
	return n >= 14 && n <= 22 || n >= 27 && n <= 36 || n >= 45 && n <= 47 || n >= 50 && n <= 58
}
