// Command synthetic copies a run as many ended runs with different seeds, to measure lists, comparisons and
// sweeps of thousands of runs without training them.
//
//	go run ./.ci/synthetic RUN NUMBER
//
// The copies are in the folder of the run and have seeds from 1. Their scores differ.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// copied holds the files that lists and comparisons read.
var copied = []string{"config.json", "summary.json", "metrics.jsonl", "test_points.csv", "lock"}

var (
	seed  = regexp.MustCompile(`"seed": [0-9]+`)
	score = regexp.MustCompile(`"(log_lik|rmse|mae|crps)": (-?)([0-9.]+)`)
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("want the directory of an ended run and a number")
	}
	number, err := strconv.Atoi(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	run := filepath.Clean(os.Args[1])
	contents := map[string][]byte{}
	for _, name := range copied {
		contents[name], err = os.ReadFile(filepath.Join(run, name))
		if err != nil {
			log.Fatal(err)
		}
	}
	for i := 1; i <= number; i++ {
		if err := copyRun(run, contents, i); err != nil {
			log.Fatal(err)
		}
	}
}

// copyRun writes a copy with the given seed. The start times of copies differ by a second.
func copyRun(run string, contents map[string][]byte, n int) error {
	old := filepath.Base(run)
	began := time.Date(2025, 1, 1, 0, 0, n, 0, time.UTC)
	id := began.Format("20060102-150405") + old[len("20060102-150405"):]
	dir := filepath.Join(filepath.Dir(run), id)
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	for _, name := range copied {
		text := bytes.ReplaceAll(contents[name], []byte(old), []byte(id))
		text = seed.ReplaceAll(text, fmt.Appendf(nil, `"seed": %d`, n))
		text = score.ReplaceAll(text, fmt.Appendf(nil, `"$1": ${2}0.%04d`, 1+n*7919%9999))
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}
