package table

// Units returns the units of the inputs and the targets as shown on axes, with "" for no unit.
func (t *Description) Units() (inputs, targets []string) {
	for i := range t.Columns {
		switch c := &t.Columns[i]; c.Role {
		case Input:
			for range c.Inputs {
				inputs = append(inputs, c.unit())
			}
		case Target:
			targets = append(targets, c.unit())
		}
	}
	return inputs, targets
}

// unit returns the unit of a date, a time or a number, or the meaning of the values of a boolean.
func (c *Column) unit() string {
	switch {
	case (c.Kind == Date || c.Kind == Number) && !(c.Log && c.Role == Input):
		return c.Unit
	case c.Kind == Boolean && len(c.Levels) == 2:
		return "0 " + c.Levels[0].Name + ", 1 " + c.Levels[1].Name
	}
	return ""
}
