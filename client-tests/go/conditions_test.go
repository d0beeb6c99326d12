package clienttests

import (
	"errors"
	"net/http"
	"sync"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
)

func remove(table *aztables.Client, etag azcore.ETag) error {
	_, err := table.DeleteEntity(ctx, "p", "r", &aztables.DeleteEntityOptions{IfMatch: &etag})
	return err
}

func stale(t *testing.T, err error) {
	t.Helper()
	refused(t, err, http.StatusPreconditionFailed, aztables.UpdateConditionNotSatisfied)
}

func TestUpdateFailsWith412WhenGivenStaleETag(t *testing.T) {
	table, _ := newTable(t)
	first := add(t, table, with(object{"n": 1}))
	second, err := update(t, table, aztables.UpdateModeReplace, first, with(object{"n": 2}))
	must(t, err)
	for _, mode := range aztables.PossibleUpdateModeValues() {
		_, err = update(t, table, mode, first, with(object{"n": 3}))
		stale(t, err)
	}
	holds(t, table, object{"n": 2.0})
	_, etag := get(t, table, "p", "r")
	equal(t, "ETag", etag, second)
}

func TestUpdateReturnsLaterETagWhenGivenCurrentETag(t *testing.T) {
	table, _ := newTable(t)
	etag := add(t, table, with(object{"n": 1}))
	for n, mode := range aztables.PossibleUpdateModeValues() {
		next, err := update(t, table, mode, etag, with(object{"n": n + 2}))
		must(t, err)
		if ticksOf(t, next) <= ticksOf(t, etag) {
			t.Fatalf("ETag: %s (expected: later than %s)", next, etag)
		}
		etag = next
	}
	found, stored := get(t, table, "p", "r")
	equal(t, "properties", propertiesOf(found), object{"n": 3.0})
	equal(t, "ETag", stored, etag)
}

func TestMergeSucceedsOnceWhenGivenETagOfListedEntity(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, with(object{"n": 1}))
	etag := azcore.ETag(listAll(t, table)[0]["odata.etag"].(string))
	_, err := update(t, table, aztables.UpdateModeMerge, etag, with(object{"n": 2}))
	must(t, err)
	_, err = update(t, table, aztables.UpdateModeMerge, etag, with(object{"n": 3}))
	stale(t, err)
}

func TestDeleteFailsWith412WhenGivenStaleETag(t *testing.T) {
	table, _ := newTable(t)
	first := add(t, table, with(object{"n": 1}))
	second, err := update(t, table, aztables.UpdateModeReplace, first, with(object{"n": 2}))
	must(t, err)
	stale(t, remove(table, first))
	holds(t, table, object{"n": 2.0})
	must(t, remove(table, second))
	_, err = table.GetEntity(ctx, "p", "r", nil)
	refused(t, err, 404, aztables.ResourceNotFound)
}

func TestConditionalWriteFailsWith404WhenEntityIsMissing(t *testing.T) {
	table, _ := newTable(t)
	etag := add(t, table, with(nil))
	must(t, remove(table, etag))
	for _, mode := range aztables.PossibleUpdateModeValues() {
		_, err := update(t, table, mode, etag, with(nil))
		refused(t, err, 404, aztables.ResourceNotFound)
	}
	refused(t, remove(table, etag), 404, aztables.ResourceNotFound)
}

func TestOldETagFailsWith412AfterEntityIsReinserted(t *testing.T) {
	table, _ := newTable(t)
	etag := add(t, table, with(object{"n": 1}))
	must(t, remove(table, etag))
	add(t, table, with(object{"n": 1}))
	_, err := update(t, table, aztables.UpdateModeMerge, etag, with(object{"n": 2}))
	stale(t, err)
}

func TestWriteFailsWith412WhenWeakETagIsMalformed(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, with(object{"n": 1}))
	_, err := update(t, table, aztables.UpdateModeReplace, `W/"wrong"`, with(object{"n": 2}))
	stale(t, err)
	stale(t, remove(table, `W/"wrong"`))
	holds(t, table, object{"n": 1.0})
}

func TestUpdateReturnsLaterETagEvenWhenNothingChanges(t *testing.T) {
	table, _ := newTable(t)
	etags := []azcore.ETag{add(t, table, with(object{"n": 1}))}
	for range 100 {
		last := etags[len(etags)-1]
		next, err := update(t, table, aztables.UpdateModeReplace, last, with(object{"n": 1}))
		must(t, err)
		if ticksOf(t, next) <= ticksOf(t, last) {
			t.Fatalf("ETag: %s (expected: later than %s)", next, last)
		}
		etags = append(etags, next)
	}
	_, err := update(t, table, aztables.UpdateModeReplace, etags[99], with(object{"n": 2}))
	stale(t, err)
}

func TestOnlyOneUpdateSucceedsWhenEightRaceWithOneETag(t *testing.T) {
	table, _ := newTable(t)
	etag := add(t, table, with(object{"n": -1}))
	errs := make([]error, 8)
	var all sync.WaitGroup
	for i := range errs {
		all.Add(1)
		go func() {
			defer all.Done()
			_, errs[i] = update(t, table, aztables.UpdateModeReplace, etag, with(object{"n": i}))
		}()
	}
	all.Wait()
	winners := []any{}
	for i, err := range errs {
		if err == nil {
			winners = append(winners, float64(i))
		} else {
			stale(t, err)
		}
	}
	found, _ := get(t, table, "p", "r")
	equal(t, "updates that passed", winners, []any{found["n"]})
}

func TestNoIncrementIsLostWhenWritersRaceWithETags(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, with(object{"n": 0}))
	step := func() error {
		for {
			answer, err := table.GetEntity(ctx, "p", "r", nil)
			if err != nil {
				return err
			}
			n := decode(t, answer.Value)["n"].(float64)
			next := with(object{"n": n + 1})
			_, err = update(t, table, aztables.UpdateModeReplace, answer.ETag, next)
			var refusal *azcore.ResponseError
			if errors.As(err, &refusal) && refusal.StatusCode == http.StatusPreconditionFailed {
				continue
			}
			return err
		}
	}
	errs := make([]error, 4)
	var all sync.WaitGroup
	for i := range errs {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 10 {
				errs[i] = errors.Join(errs[i], step())
			}
		}()
	}
	all.Wait()
	must(t, errors.Join(errs...))
	holds(t, table, object{"n": 40.0})
}
