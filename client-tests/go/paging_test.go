package clienttests

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
)

type keys struct{ PartitionKey, RowKey string }

func keysOf(entities []object) []keys {
	all := make([]keys, len(entities))
	for i, one := range entities {
		all[i] = keys{one["PartitionKey"].(string), one["RowKey"].(string)}
	}
	return all
}

func sorted(all []keys) []keys {
	sort.Slice(all, func(i, j int) bool {
		if all[i].PartitionKey != all[j].PartitionKey {
			return all[i].PartitionKey < all[j].PartitionKey
		}
		return all[i].RowKey < all[j].RowKey
	})
	return all
}

func sameKeys(t *testing.T, got, want []keys) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("entity number %d: %v (expected: %v)", i, got[i], want[i])
		}
	}
	equal(t, "number of entities", len(got), len(want))
}

// readByPage reads a query to its end, each page with a client that knows only the continuation
// token. No more than top entities, or 1,000 without a top, may come in a page.
func readByPage(t *testing.T, name string, options aztables.ListEntitiesOptions) []object {
	t.Helper()
	most := 1000
	if options.Top != nil {
		most = int(*options.Top)
	}
	found := []object{}
	for {
		fresh := newServiceClient(t).NewClient(name)
		pager := fresh.NewListEntitiesPager(&options)
		page, err := pager.NextPage(ctx)
		must(t, err)
		if len(page.Entities) > most {
			t.Fatalf("entities in a page: %d (expected: <= %d)", len(page.Entities), most)
		}
		for _, value := range page.Entities {
			found = append(found, decode(t, value))
		}
		if !pager.More() {
			return found
		}
		options.NextPartitionKey, options.NextRowKey = page.NextPartitionKey, page.NextRowKey
	}
}

// The keys are chosen so that their order is neither that of numbers nor that of a dictionary:
// "row-10" comes before "row-2", "B" before "a", "-" before digits before letters.
func TestQueryPagesThrough2500EntitiesInKeyOrder(t *testing.T) {
	table, name := newTable(t)
	all := []keys{}
	byNumber := func(accept func(n int, one keys) bool) []keys {
		matching := []keys{}
		for i, one := range all {
			if accept(i%250, one) {
				matching = append(matching, one)
			}
		}
		return sorted(matching)
	}
	for _, partitionKey := range []string{
		"A", "B", "a", "a b", `a-'q'-"-%20-%27`, "a1", "ab", "é", "日本", "🌱",
	} {
		partition := []object{}
		for n := 0; n < 250; n++ {
			rowKey := fmt.Sprintf("row-%d", n)
			partition = append(partition,
				object{"PartitionKey": partitionKey, "RowKey": rowKey, "n": n})
			all = append(all, keys{partitionKey, rowKey})
		}
		addAll(t, table, partition)
	}
	expected := byNumber(func(int, keys) bool { return true })
	equal(t, "entities", len(expected), 2500)

	for _, size := range []int32{7, 333, 999} {
		t.Run(fmt.Sprintf("Pages return each entity once in key order at page size %d", size),
			func(t *testing.T) {
				found := readByPage(t, name, aztables.ListEntitiesOptions{Top: to.Ptr(size)})
				sameKeys(t, keysOf(found), expected)
			})
	}
	t.Run("Pages return each entity once in key order at default size", func(t *testing.T) {
		sameKeys(t, keysOf(readByPage(t, name, aztables.ListEntitiesOptions{})), expected)
	})
	t.Run("SDK pager returns each entity once in key order", func(t *testing.T) {
		sameKeys(t, keysOf(listAll(t, table)), expected)
	})
	t.Run("Pages return matches in key order when filter is sparse", func(t *testing.T) {
		alternatives := []string{}
		for n := 0; n < 250; n += 11 {
			alternatives = append(alternatives, fmt.Sprintf("n eq %d", n))
		}
		found := readByPage(t, name, aztables.ListEntitiesOptions{
			Filter: to.Ptr(strings.Join(alternatives, " or ")), Top: to.Ptr(int32(7)),
		})
		sameKeys(t, keysOf(found), byNumber(func(n int, _ keys) bool { return n%11 == 0 }))
	})
	t.Run("Pages return key range in order across partitions", func(t *testing.T) {
		found := readByPage(t, name, aztables.ListEntitiesOptions{
			Filter: to.Ptr("PartitionKey ge 'a' and PartitionKey lt 'ab' and RowKey ge 'row-2'"),
			Top:    to.Ptr(int32(13)),
		})
		sameKeys(t, keysOf(found), byNumber(func(_ int, one keys) bool {
			return "a" <= one.PartitionKey && one.PartitionKey < "ab" && one.RowKey >= "row-2"
		}))
	})
	t.Run("Select applies to each page when query is continued", func(t *testing.T) {
		found := readByPage(t, name, aztables.ListEntitiesOptions{
			Select: to.Ptr("PartitionKey,RowKey"), Top: to.Ptr(int32(999)),
		})
		sameKeys(t, keysOf(found), expected)
		for _, one := range found {
			equal(t, "properties", propertiesOf(one), object{})
		}
	})
	t.Run("Query returns no entities when filter matches none", func(t *testing.T) {
		equal(t, "entities", answerTo(table, "n gt 250"), "")
	})
}

func TestPagesContinueInPartitionWhenPartitionKeyIsEmpty(t *testing.T) {
	table, name := newTable(t)
	all := []keys{}
	for n := 0; n < 10; n++ {
		all = append(all, keys{"", fmt.Sprintf("r%d", n)})
	}
	all = append(all, keys{"p", ""}, keys{"p", "r"})
	for _, one := range all {
		add(t, table, one)
	}
	for _, size := range []int32{1, 3} {
		found := readByPage(t, name, aztables.ListEntitiesOptions{Top: to.Ptr(size)})
		sameKeys(t, keysOf(found), all)
	}
}

func TestContinuationTokenIsValidAfterItsEntityIsDeleted(t *testing.T) {
	table, name := newTable(t)
	entities, expected := []object{}, []keys{}
	for n := 10; n < 30; n++ {
		rowKey := fmt.Sprintf("r%d", n)
		entities = append(entities, entity(rowKey, nil))
		expected = append(expected, keys{"p", rowKey})
	}
	addAll(t, table, entities)
	options := &aztables.ListEntitiesOptions{Top: to.Ptr(int32(5))}
	first, err := table.NewListEntitiesPager(options).NextPage(ctx)
	must(t, err)
	equal(t, "entities in the first page", len(first.Entities), 5)

	_, err = table.DeleteEntity(ctx, "p", "r15", nil)
	must(t, err)
	add(t, table, entity("r00", nil))

	rest := readByPage(t, name, aztables.ListEntitiesOptions{
		NextPartitionKey: first.NextPartitionKey, NextRowKey: first.NextRowKey,
	})
	sameKeys(t, keysOf(rest), expected[6:])
}
