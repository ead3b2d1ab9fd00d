package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// repositoryPages holds the Markdown pages relative to the root of the repository.
var repositoryPages = []string{
	"README.md", "tui/README.md", "tui/cli/README.md", "models/README.md", "models/RESULTS.md",
	"models/PERFORMANCE.md",
	"models/testdata/oracles/README.md",
	"datasets/README.md", "session/FORMAT.md", "session/NOTEBOOKS.md", "session/compare/README.md",
	".github/CONTRIBUTING.md", ".github/SECURITY.md",
}

// All links on a page point to existing files and headings.
func TestPagesLead(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	for _, page := range repositoryPages {
		for _, found := range link.FindAllStringSubmatch(readPage(t, page), -1) {
			if strings.Contains(found[1], "://") {
				continue
			}
			name, heading, _ := strings.Cut(found[1], "#")
			target := filepath.Join(filepath.Dir(page), name)
			if name == "" {
				target = page
			}
			if _, err := os.Stat(filepath.Join("..", "..", target)); err != nil {
				t.Errorf("%s: the link %q is broken", page, found[1])
			} else if heading != "" && !slices.Contains(headings(readPage(t, target)), heading) {
				t.Errorf("%s: %s has no heading %q", page, target, heading)
			}
		}
	}
}

// TestFrontPageIsOnePage keeps the README short. Details belong on the linked pages.
func TestFrontPageIsOnePage(t *testing.T) {
	page := readPage(t, "README.md")
	if n := strings.Count(page, "\n"); n > 200 {
		t.Errorf("README.md has %d lines, want at most 200", n)
	}
	for _, other := range repositoryPages[1:] {
		if !strings.Contains(page, "("+other+")") {
			t.Errorf("README.md does not link to %s", other)
		}
	}
}

func readPage(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", page))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// headings returns the anchors of a page's headings.
func headings(page string) []string {
	punctuation := regexp.MustCompile(`[^\p{L}\p{N}\- ]`)
	var anchors []string
	for _, line := range strings.Split(page, "\n") {
		if title := strings.TrimLeft(line, "#"); title != line {
			title = punctuation.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
			anchors = append(anchors, strings.ReplaceAll(title, " ", "-"))
		}
	}
	return anchors
}
