package clienttests

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
)

var wrongKey = base64.StdEncoding.EncodeToString([]byte("this is not the key of the account"))

func stranger(t *testing.T, err error) {
	t.Helper()
	refused(t, err, 403, authenticationFailed)
}

func TestRequestsFailWith403WhenCredentialIsWrong(t *testing.T) {
	for condition, credential := range map[string][2]string{
		"account key is wrong": {account, wrongKey},
		"account is unknown":   {"someoneelse1", key},
	} {
		t.Run("Requests fail with 403 when "+condition, func(t *testing.T) {
			table, name := newTable(t)
			add(t, table, with(object{"n": 1}))
			theirs := newServiceClientAs(t, credential[0], credential[1]).NewClient(name)
			_, err := theirs.GetEntity(ctx, "p", "r", nil)
			stranger(t, err)
			_, err = list(theirs, aztables.ListEntitiesOptions{})
			stranger(t, err)
			_, err = theirs.AddEntity(ctx, encode(t, entity("other", nil)), nil)
			stranger(t, err)
			_, err = upsert(t, theirs, aztables.UpdateModeReplace, with(object{"n": 2}))
			stranger(t, err)
			_, err = theirs.DeleteEntity(ctx, "p", "r", nil)
			stranger(t, err)
			_, err = theirs.Delete(ctx, nil)
			stranger(t, err)
			stranger(t, submit(theirs, add1(t, "other", nil)))
			equal(t, "table", contents(t, table), map[string]object{"r": {"n": 1.0}})
		})
	}
}

func TestRequestsForMissingTableFailWith403WhenKeyIsWrong(t *testing.T) {
	service := newServiceClientAs(t, account, wrongKey)
	missing := service.NewClient(uniqueTableName())
	_, err := missing.GetEntity(ctx, "p", "r", nil)
	stranger(t, err)
	_, err = missing.CreateTable(ctx, nil)
	stranger(t, err)
	_, err = service.NewListTablesPager(nil).NextPage(ctx)
	stranger(t, err)
}

func TestConnectionStringWithTableEndpointReachesAccount(t *testing.T) {
	address, err := url.Parse(endpoint)
	must(t, err)
	service, err := aztables.NewServiceClientFromConnectionString(fmt.Sprintf(
		"DefaultEndpointsProtocol=%s;AccountName=%s;AccountKey=%s;TableEndpoint=%s;",
		address.Scheme, account, key, endpoint), nil)
	must(t, err)
	name := uniqueTableName()
	_, err = service.CreateTable(ctx, name, nil)
	must(t, err)
	t.Cleanup(func() {
		_, err := service.DeleteTable(ctx, name, nil)
		must(t, err)
	})
	table := service.NewClient(name)
	add(t, table, with(object{"n": 1}))
	holds(t, table, object{"n": 1.0})
	equal(t, "tables", namesOf(t, named(name)), []string{name})
}
