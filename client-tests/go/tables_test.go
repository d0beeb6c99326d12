package clienttests

import (
	"fmt"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
)

func namesOf(t *testing.T, filter string) []string {
	t.Helper()
	names := []string{}
	options := &aztables.ListTablesOptions{Filter: &filter}
	for pager := newServiceClient(t).NewListTablesPager(options); pager.More(); {
		page, err := pager.NextPage(ctx)
		must(t, err)
		for _, table := range page.Tables {
			names = append(names, *table.Name)
		}
	}
	return names
}

func named(name string) string { return fmt.Sprintf("TableName eq '%s'", name) }

func prefixed(prefix string) string {
	return fmt.Sprintf("TableName ge '%s' and TableName lt '%s{'", prefix, prefix)
}

func TestCreatedTableIsListedAndHasNoEntities(t *testing.T) {
	table, name := newTable(t)
	equal(t, "tables", namesOf(t, named(name)), []string{name})
	equal(t, "entities", listAll(t, table), []object{})
}

func TestCreateTableReturnsTableName(t *testing.T) {
	service := newServiceClient(t)
	name := uniqueTableName()
	answer, err := service.CreateTable(ctx, name, nil)
	must(t, err)
	equal(t, "name", *answer.TableName, name)
	_, err = service.DeleteTable(ctx, name, nil)
	must(t, err)
}

func TestQueryTablesReturnsTableOnceWithoutFilter(t *testing.T) {
	_, name := newTable(t)
	seen := 0
	for pager := newServiceClient(t).NewListTablesPager(nil); pager.More(); {
		page, err := pager.NextPage(ctx)
		must(t, err)
		for _, table := range page.Tables {
			if *table.Name == name {
				seen++
			}
		}
	}
	equal(t, "times seen", seen, 1)
}

func TestCreateTableFailsWith409WhenTableExists(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, with(nil))
	_, err := table.CreateTable(ctx, nil)
	refused(t, err, 409, aztables.TableAlreadyExists)
	equal(t, "entities", len(listAll(t, table)), 1)
}

func TestTableIsTheSameWhenNameDiffersOnlyByCase(t *testing.T) {
	table, name := newTable(t)
	shouted := newServiceClient(t).NewClient(strings.ToUpper(name))
	_, err := shouted.CreateTable(ctx, nil)
	refused(t, err, 409, aztables.TableAlreadyExists)

	add(t, shouted, with(object{"n": 1}))
	found, _ := get(t, table, "p", "r")
	equal(t, "properties", propertiesOf(found), object{"n": 1.0})
	equal(t, "tables", namesOf(t, named(name)), []string{name})
}

func TestQueryTablesPagesThroughPrefixInNameOrder(t *testing.T) {
	prefix := uniqueTableName()
	names := []string{}
	for _, end := range []string{"a", "b", "c", "d", "e"} {
		names = append(names, prefix+end)
	}
	for i := len(names) - 1; i >= 0; i-- {
		newTableNamed(t, names[i])
	}
	newTable(t)

	filter, top := prefixed(prefix), int32(2)
	seen := []string{}
	options := aztables.ListTablesOptions{Filter: &filter, Top: &top}
	for {
		pager := newServiceClient(t).NewListTablesPager(&options)
		page, err := pager.NextPage(ctx)
		must(t, err)
		if len(page.Tables) > 2 {
			t.Fatalf("tables in a page: %d (expected: <= 2)", len(page.Tables))
		}
		for _, table := range page.Tables {
			seen = append(seen, *table.Name)
		}
		if !pager.More() {
			break
		}
		options.NextTableName = page.NextTableName
	}
	equal(t, "tables", seen, names)
}

func TestQueryTablesReturnsNothingWhenFilterMatchesNone(t *testing.T) {
	equal(t, "tables", namesOf(t, named(uniqueTableName())), []string{})
}

func TestDeletedTableIsNotFoundAndEmptyWhenRecreated(t *testing.T) {
	table, name := newTable(t)
	add(t, table, with(nil))
	_, err := table.Delete(ctx, nil)
	must(t, err)
	equal(t, "tables", namesOf(t, named(name)), []string{})
	_, err = table.GetEntity(ctx, "p", "r", nil)
	refused(t, err, 404, aztables.TableNotFound)

	_, err = table.CreateTable(ctx, nil)
	must(t, err)
	equal(t, "entities", listAll(t, table), []object{})
}

func TestDeleteTableFailsWith404WhenTableIsMissing(t *testing.T) {
	_, err := newServiceClient(t).DeleteTable(ctx, uniqueTableName(), nil)
	refused(t, err, 404, aztables.ResourceNotFound)
}

func TestDeleteTableKeepsOtherTableWithSamePrefix(t *testing.T) {
	short, name := newTable(t)
	long := newTableNamed(t, name+"23")
	add(t, short, with(nil))
	add(t, long, with(object{"of": "long"}))
	_, err := short.Delete(ctx, nil)
	must(t, err)
	found, _ := get(t, long, "p", "r")
	equal(t, "properties", propertiesOf(found), object{"of": "long"})
	equal(t, "tables", namesOf(t, prefixed(name)), []string{name + "23"})
}

func TestEntityOperationsFailWith404WhenTableIsMissing(t *testing.T) {
	missing := newServiceClient(t).NewClient(uniqueTableName())
	_, err := missing.AddEntity(ctx, encode(t, with(nil)), nil)
	refused(t, err, 404, aztables.TableNotFound)
	_, err = missing.GetEntity(ctx, "p", "r", nil)
	refused(t, err, 404, aztables.TableNotFound)
	_, err = list(missing, aztables.ListEntitiesOptions{})
	refused(t, err, 404, aztables.TableNotFound)
	_, err = update(t, missing, aztables.UpdateModeMerge, "*", with(nil))
	refused(t, err, 404, aztables.TableNotFound)
	_, err = upsert(t, missing, aztables.UpdateModeReplace, with(nil))
	refused(t, err, 404, aztables.TableNotFound)
	_, err = missing.DeleteEntity(ctx, "p", "r", nil)
	refused(t, err, 404, aztables.TableNotFound)
}

func TestCreateTableFailsWith400WhenNameIsInvalid(t *testing.T) {
	service := newServiceClient(t)
	for condition, one := range map[string]struct {
		name string
		code aztables.TableErrorCode
	}{
		"name has a hyphen":        {"with-hyphen", invalidResourceName},
		"name has a leading digit": {"1digit", invalidResourceName},
		"name has 2 characters":    {"ab", aztables.OutOfRangeInput},
		"name has 64 characters":   {strings.Repeat("a", 64), aztables.OutOfRangeInput},
		"name is reserved":         {"Tables", aztables.InvalidInput},
	} {
		t.Run("Create Table fails with 400 when "+condition, func(t *testing.T) {
			_, err := service.CreateTable(ctx, one.name, nil)
			refused(t, err, 400, one.code)
		})
	}
}
