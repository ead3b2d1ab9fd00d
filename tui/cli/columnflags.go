package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"dgplab/datasets/table"
)

// columnFlags holds the flags that describe the columns of a file.
type columnFlags struct {
	lists map[string]*[]string
	texts map[string]*string
}

// register adds the flags to a command.
func (f *columnFlags) register(cmd *cobra.Command) {
	f.lists, f.texts = map[string]*[]string{}, map[string]*string{}
	for _, o := range table.Options() {
		switch {
		case o.Columns:
			f.lists[o.Name] = cmd.Flags().StringArray(o.Name, nil, o.Help+"; may be repeated")
		case o.Words != nil:
			f.texts[o.Name] = cmd.Flags().String(o.Name, "", o.Help+": "+strings.Join(o.Words, ", "))
			completeFlags(cmd, map[string]cobra.CompletionFunc{
				o.Name: complete(func() []string { return o.Words }),
			})
		default:
			f.texts[o.Name] = cmd.Flags().String(o.Name, "", o.Help)
		}
	}
}

// choices applies the flags to existing choices. A flag replaces a single word, or extends a list of columns.
func (f *columnFlags) choices(cmd *cobra.Command, c table.Choices) (table.Choices, error) {
	c = c.Clone()
	for _, o := range table.Options() {
		var values []string
		list := f.lists[o.Name]
		switch {
		case !cmd.Flags().Changed(o.Name):
		case list != nil:
			values = *list
		default:
			values = []string{*f.texts[o.Name]}
		}
		for _, value := range values {
			if err := c.Set(o.Name, value); err != nil {
				return c, usage(cmd, "bad value: --%s", err)
			}
		}
	}
	return c, nil
}

// given reports whether any of the flags was set.
func (f *columnFlags) given(cmd *cobra.Command) bool {
	for _, o := range table.Options() {
		if cmd.Flags().Changed(o.Name) {
			return true
		}
	}
	return false
}

// columnArguments returns the command-line arguments for choices.
func columnArguments(c table.Choices) (words []string) {
	for _, item := range c.Items() {
		name, value, _ := strings.Cut(item, "=")
		words = append(words, "--"+name, quote(value))
	}
	return words
}
