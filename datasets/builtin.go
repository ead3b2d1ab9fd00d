package datasets

import "slices"

// generatorSeed is the seed of all built-in sets, which makes them equal on every machine.
const generatorSeed = 1

// generator is a built-in set with its catalogue entry.
type generator struct {
	info Info
	make func() *Dataset
}

// generators lists the built-in sets in the order of the catalogue.
var generators = []generator{
	{mountainCarInfo, mountainCar},
	{stepsInfo, steps},
	{bimodalInfo, bimodal},
	{outliersInfo, outliers},
	{impactInfo, impact},
	{arrivalsInfo, arrivals},
	{sightingsInfo, sightings},
	{lettersInfo, letters},
	{arm8Info, arm8},
}

// findGenerator returns the built-in set with the given name.
func findGenerator(name string) (generator, bool) {
	i := slices.IndexFunc(generators, func(g generator) bool { return g.info.Name == name })
	if i < 0 {
		return generator{}, false
	}
	return generators[i], true
}
