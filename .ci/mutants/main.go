// Mutants measures how many small faults the tests detect. It draws seeded random changes of the
// code, such as a negated comparison or a removed statement, and tests each change separately. It
// does not modify the working tree.
//
//	go run ./.ci/mutants [-seed S] [-from I] [-in REGEXP] [-kind REGEXP] [-own] N
//
// Mutant i of seed S does not depend on other mutants, so a long campaign can be split. For each
// mutant, the tests of its own package run first, then the tests of the packages that import it,
// then the tests of all dependent packages, all with -short. If the mutant survives, the slow tests
// of its own package and of the packages that run the binary follow. With -own, only the first
// stage runs. This reveals faults that only the tests of other packages detect.
//
// The tests are built once, with all mutants, and an environment variable selects one of them. Each
// test first runs alone without a mutant and records the mutants that it reaches; it is skipped for
// all others. Each mutant of a constant has a separate build.
//
// Mutants do not change generated files, packages that only tests import, strings, panics and
// conditions that only guard a panic, sizes that affect only allocation (capacities, maps,
// channels, Grow, buffered readers and writers), calls and errors of Close, calls of Grow and package
// runtime, the arguments of GOMAXPROCS and Sleep, which affect only the speed, or the equality of
// float comparisons (< to <=), which rarely matters.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"regexp"
	"strconv"
	"strings"
	"syscall"
)

func main() {
	seed := flag.Uint64("seed", 1, "seed of the changes")
	from := flag.Int("from", 0, "number of the first mutant")
	in := flag.String("in", "", "regular expression of the files to change, such as ^viz/")
	kind := flag.String("kind", "", "regular expression of the kinds of changes: comparison, condition, "+
		"constant, error, index, operator, statement")
	own := flag.Bool("own", false, "run only the tests of the changed package")
	dry := flag.Bool("dry", false, "print the changes without testing them")
	flag.Parse()
	count, err := strconv.Atoi(flag.Arg(0))
	files, badFiles := regexp.Compile(*in)
	kinds, badKinds := regexp.Compile(*kind)
	if err != nil || badFiles != nil || badKinds != nil || flag.NArg() != 1 || count < 1 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	program, err := load(files, kinds)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
	if err := campaign(ctx, program, count, *from, *seed, *own, *dry); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// campaign makes and tests mutants and prints the result of each and the score. When ctx is done, it stops
// after the current mutant.
func campaign(
	ctx context.Context, program *program, count, from int, seed uint64, own, dry bool,
) error {
	var mutants []*mutant
	var randoms []*rand.Rand
	for i := range count {
		random := rand.New(rand.NewPCG(seed, uint64(from+i)))
		m, err := program.draw(random)
		if err != nil {
			return err
		}
		m.number = i
		mutants = append(mutants, m)
		randoms = append(randoms, random)
	}
	if dry {
		for i, m := range mutants {
			fmt.Printf("%d drawn: %s\n", from+i, m.change)
		}
		return nil
	}
	b, err := newBench(program, mutants, own)
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.work)
	counts := map[string]int{}
	made := 0
	for i, m := range mutants {
		if ctx.Err() != nil {
			break
		}
		fate, err := b.try(m)
		for errors.Is(err, errBuild) {
			m, err = program.draw(randoms[i])
			if err != nil {
				return err
			}
			fate, err = b.try(m)
		}
		if err != nil {
			return err
		}
		made++
		counts[strings.Fields(fate)[0]]++
		fmt.Printf("%d %s: %s\n", from+i, fate, m.change)
	}
	if made == 0 {
		return ctx.Err()
	}
	caught := counts["caught"] + counts["timeout"]
	share := float64(caught) / float64(made)
	fmt.Printf("mutants: %d made from %d on with seed %d, %d caught (%.1f %%), ",
		made, from, seed, caught, 100*share)
	fmt.Printf("%d of them by a timeout, %d survivors\n", counts["timeout"], counts["SURVIVED"])
	return nil
}
