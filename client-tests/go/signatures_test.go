package clienttests

import (
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
)

// tokenKeys in the order of the table.
var tokenKeys = []keys{
	{"a", "1"}, {"a", "5"}, {"a b&c=d+e", "ü'ä"}, {"b", "0"}, {"b", "9"}, {"c", "2"}, {"c", "20"},
	{"日本", "🌱"},
}

func unauthenticated(t *testing.T, err error) {
	t.Helper()
	refused(t, err, 403, authenticationFailed)
}

func addKeys(t *testing.T, table *aztables.Client) {
	t.Helper()
	for _, one := range tokenKeys {
		add(t, table, object{"PartitionKey": one.PartitionKey, "RowKey": one.RowKey})
	}
}

// readWith answers what a signature of these values, with "r" if they name no letter, lets see.
func readWith(t *testing.T, name string, values aztables.SASSignatureValues) ([]keys, error) {
	t.Helper()
	values.TableName = name
	if values.Permissions == "" && values.Identifier == "" {
		values.Permissions = "r"
	}
	found, err := list(tableWith(t, tableToken(t, values), name), aztables.ListEntitiesOptions{})
	return keysOf(found), err
}

func TestTableSASAllowsExactlyOperationsOfPermissions(t *testing.T) {
	for _, permissions := range []string{"r", "a", "u", "d", "au", "raud"} {
		t.Run("Table SAS allows exactly operations of sp="+permissions, func(t *testing.T) {
			table, name := newTable(t)
			token := tableToken(t, aztables.SASSignatureValues{
				TableName: name, Permissions: permissions,
			})
			heldTo(t, permissions, tableWith(t, token, name), table)
		})
	}
}

func TestTableSASURLOfSDKAllowsOnlyItsPermissions(t *testing.T) {
	table, name := newTable(t)
	add(t, table, stored)
	// The SDK joins endpoint and name as they are.
	owner := newServiceClientAt(t, strings.TrimSuffix(endpoint, "/")+"/", account, key)
	address, err := owner.NewClient(name).GetTableSASURL(
		aztables.SASPermissions{Read: true}, fromNow(-time.Hour), fromNow(time.Hour))
	must(t, err)
	holder, err := aztables.NewClientWithNoCredential(address, clientOptions())
	must(t, err)
	equal(t, "table", contents(t, holder), map[string]object{"stored": {"n": 1.0}})
	_, err = holder.DeleteEntity(ctx, "p", "stored", nil)
	refused(t, err, 403, permissionMismatch)
}

func TestTableSASURLOfSDKFailsWith403WhenBoundIsNotSent(t *testing.T) {
	table, name := newTable(t)
	add(t, table, stored)
	owner := newServiceClientAt(t, strings.TrimSuffix(endpoint, "/")+"/", account, key)
	address, err := owner.NewClient(name).GetTableSASURL(
		aztables.SASPermissions{Read: true, StartPartitionKey: "x"},
		fromNow(-time.Hour), fromNow(time.Hour))
	must(t, err)
	holder, err := aztables.NewClientWithNoCredential(address, clientOptions())
	must(t, err)
	_, err = list(holder, aztables.ListEntitiesOptions{})
	unauthenticated(t, err)

	holder, err = aztables.NewClientWithNoCredential(address+"&spk=x", clientOptions())
	must(t, err)
	equal(t, "entities", listAll(t, holder), []object{})
}

func TestBatchRollsBackWith403WhenSASLacksPermission(t *testing.T) {
	table, name := newTable(t)
	token := tableToken(t, aztables.SASSignatureValues{TableName: name, Permissions: "a"})
	err := submit(tableWith(t, token, name), add1(t, "new", nil),
		action(t, aztables.TransactionTypeDelete, entity("other", nil)))
	refusedInBatch(t, err, "1:", permissionMismatch)
	equal(t, "entities", listAll(t, table), []object{})
}

func TestTableSASFailsWith403WhenExpiredOrNotYetValid(t *testing.T) {
	_, name := newTable(t)
	for condition, values := range map[string]aztables.SASSignatureValues{
		"expired":               {ExpiryTime: fromNow(-time.Minute)},
		"not yet valid":         {StartTime: fromNow(time.Minute)},
		"start is after expiry": {StartTime: fromNow(2 * time.Hour)},
		"start and expiry are past": {
			StartTime: fromNow(-2 * time.Hour), ExpiryTime: fromNow(-time.Hour)},
	} {
		t.Run("Table SAS fails with 403 when "+condition, func(t *testing.T) {
			_, err := readWith(t, name, values)
			unauthenticated(t, err)
		})
	}
	_, err := readWith(t, name, aztables.SASSignatureValues{StartTime: fromNow(-time.Hour)})
	must(t, err)
}

func TestQueryReturnsOnlyEntitiesInKeyBoundsOfSAS(t *testing.T) {
	table, name := newTable(t)
	addKeys(t, table)
	odd := tokenKeys[2]
	for what, one := range map[string]struct {
		bounds aztables.SASSignatureValues
		want   []keys
	}{
		"Query returns entities from start PartitionKey": {
			aztables.SASSignatureValues{StartPartitionKey: "b"}, tokenKeys[3:]},
		"Query returns entities up to end PartitionKey": {
			aztables.SASSignatureValues{EndPartitionKey: "b"}, tokenKeys[:5]},
		"Query returns one partition when bounds are its key": {
			aztables.SASSignatureValues{StartPartitionKey: "a", EndPartitionKey: "a"}, tokenKeys[:2]},
		"Query returns entities between start and end keys": {
			aztables.SASSignatureValues{
				StartPartitionKey: "a", StartRowKey: "5", EndPartitionKey: "c", EndRowKey: "2"},
			tokenKeys[1:6]},
		"Query returns entities from start keys needing escaping": {
			aztables.SASSignatureValues{
				StartPartitionKey: odd.PartitionKey, StartRowKey: odd.RowKey}, tokenKeys[2:]},
		"Query returns entities up to end keys needing escaping": {
			aztables.SASSignatureValues{
				EndPartitionKey: odd.PartitionKey, EndRowKey: odd.RowKey}, tokenKeys[:3]},
		"Query returns one entity when bounds are its keys": {
			aztables.SASSignatureValues{
				StartPartitionKey: "日本", StartRowKey: "🌱", EndPartitionKey: "日本", EndRowKey: "🌱"},
			tokenKeys[7:]},
		"Query returns nothing when start is after end": {
			aztables.SASSignatureValues{StartPartitionKey: "c", EndPartitionKey: "a"}, []keys{}},
	} {
		t.Run(what, func(t *testing.T) {
			found, err := readWith(t, name, one.bounds)
			must(t, err)
			equal(t, "keys", found, one.want)
		})
	}
}

// bounded is a signature for tokenKeys[1:6].
func bounded(t *testing.T, name, permissions string) string {
	t.Helper()
	return tableToken(t, aztables.SASSignatureValues{
		TableName: name, Permissions: permissions,
		StartPartitionKey: "a", StartRowKey: "5", EndPartitionKey: "c", EndRowKey: "2",
	})
}

func TestFiltersAndPagesStayInKeyBoundsOfSAS(t *testing.T) {
	table, name := newTable(t)
	addKeys(t, table)
	token := bounded(t, name, "r")
	found, err := rowKeysOf(tableWith(t, token, name), "PartitionKey eq 'a' and RowKey eq '1'")
	must(t, err)
	equal(t, "entities", found, []string{})

	read := []object{}
	options := aztables.ListEntitiesOptions{Top: to.Ptr(int32(2))}
	for {
		pager := tableWith(t, token, name).NewListEntitiesPager(&options)
		page, err := pager.NextPage(ctx)
		must(t, err)
		if len(page.Entities) > 2 {
			t.Fatalf("entities in a page: %d (expected: <= 2)", len(page.Entities))
		}
		for _, value := range page.Entities {
			read = append(read, decode(t, value))
		}
		if !pager.More() {
			break
		}
		options.NextPartitionKey, options.NextRowKey = page.NextPartitionKey, page.NextRowKey
	}
	equal(t, "keys", keysOf(read), tokenKeys[1:6])

	// A place outside, as only somebody with other rights can have been told.
	beyond, err := table.NewListEntitiesPager(
		&aztables.ListEntitiesOptions{Top: to.Ptr(int32(6))}).NextPage(ctx)
	must(t, err)
	read, err = list(tableWith(t, token, name), aztables.ListEntitiesOptions{
		NextPartitionKey: beyond.NextPartitionKey, NextRowKey: beyond.NextRowKey,
	})
	must(t, err)
	equal(t, "entities", read, []object{})
}

func TestGetFailsWith404WriteWith403OutsideSASBounds(t *testing.T) {
	table, name := newTable(t)
	addKeys(t, table)
	holder := tableWith(t, bounded(t, name, "raud"), name)
	for _, one := range tokenKeys[1:6] {
		get(t, holder, one.PartitionKey, one.RowKey)
	}
	for _, one := range []keys{tokenKeys[0], tokenKeys[6], tokenKeys[7], {"a", "4"}, {"c", "3"}} {
		outside := object{"PartitionKey": one.PartitionKey, "RowKey": one.RowKey}
		_, err := holder.GetEntity(ctx, one.PartitionKey, one.RowKey, nil)
		refused(t, err, 404, aztables.ResourceNotFound)
		_, err = holder.AddEntity(ctx, encode(t, outside), nil)
		refused(t, err, 403, authorizationFailure)
		_, err = update(t, holder, aztables.UpdateModeMerge, "*", outside)
		refused(t, err, 403, authorizationFailure)
		_, err = upsert(t, holder, aztables.UpdateModeReplace, outside)
		refused(t, err, 403, authorizationFailure)
		_, err = holder.DeleteEntity(ctx, one.PartitionKey, one.RowKey, nil)
		refused(t, err, 403, authorizationFailure)
	}
	in := func(kind aztables.TransactionType, rowKey string) aztables.TransactionAction {
		return action(t, kind, object{"PartitionKey": "a", "RowKey": rowKey})
	}
	must(t, submit(holder,
		in(aztables.TransactionTypeAdd, "6"), in(aztables.TransactionTypeDelete, "5")))
	err := submit(holder, in(aztables.TransactionTypeAdd, "7"),
		in(aztables.TransactionTypeDelete, "6"), in(aztables.TransactionTypeAdd, "4"))
	refusedInBatch(t, err, "2:", authorizationFailure)
	want := append([]keys{{"a", "1"}, {"a", "6"}}, tokenKeys[2:]...)
	equal(t, "keys", keysOf(listAll(t, table)), want)
}

func TestTableSASWorksWhenTableNameDiffersInCase(t *testing.T) {
	table, name := newTable(t)
	add(t, table, stored)
	token := tableToken(t, aztables.SASSignatureValues{
		TableName: strings.ToUpper(name), Permissions: "raud",
	})
	// The SDK writes it in lower case; others do not.
	for _, signed := range []string{token, strings.Replace(token, name, strings.ToUpper(name), 1)} {
		for _, asked := range []string{name, strings.ToUpper(name)} {
			holder := tableWith(t, signed, asked)
			must(t, submit(holder, action(t, aztables.TransactionTypeInsertReplace, stored)))
			equal(t, "table", contents(t, holder), map[string]object{"stored": {"n": 1.0}})
		}
	}
}

func TestTableSASFailsWith403WhenUsedForAnotherTable(t *testing.T) {
	_, name := newTable(t)
	other, otherName := newTable(t)
	add(t, other, stored)
	token := tableToken(t, aztables.SASSignatureValues{TableName: name, Permissions: "raud"})
	holder := tableWith(t, token, otherName)
	_, err := holder.GetEntity(ctx, "p", "stored", nil)
	refused(t, err, 403, authorizationFailure)
	_, err = list(holder, aztables.ListEntitiesOptions{})
	refused(t, err, 403, authorizationFailure)
	refusedInBatch(t, submit(holder, add1(t, "new", nil)), "0:", authorizationFailure)
	equal(t, "table", contents(t, other), map[string]object{"stored": {"n": 1.0}})
}

func TestTableSASFailsWith403WhenSignedFieldIsAltered(t *testing.T) {
	_, name := newTable(t)
	token := tableToken(t, aztables.SASSignatureValues{
		TableName: name, Permissions: "r", StartPartitionKey: "p",
	})
	for condition, touched := range map[string]string{
		"sp has more letters":    strings.Replace(token, "sp=r", "sp=raud", 1),
		"spk is lowered":         strings.Replace(token, "spk=p", "spk=o", 1),
		"spk is removed":         strings.Replace(token, "&spk=p", "", 1),
		"tn names another table": strings.Replace(token, "tn="+name, "tn="+uniqueTableName(), 1),
		"sv is another version":  strings.Replace(token, "sv=2019-02-02", "sv=2018-11-09", 1),
		"si is added":            token + "&si=policy",
	} {
		t.Run("Table SAS fails with 403 when "+condition, func(t *testing.T) {
			if touched == token {
				t.Fatal("the token is as it was")
			}
			_, err := list(tableWith(t, touched, name), aztables.ListEntitiesOptions{})
			unauthenticated(t, err)
		})
	}
}

func TestTableSASWorksOnlyFromItsIPsAndOverItsProtocols(t *testing.T) {
	_, name := newTable(t)
	_, err := readWith(t, name, aztables.SASSignatureValues{
		IPRange: anywhere, Protocol: aztables.SASProtocolHTTPSandHTTP,
	})
	must(t, err)
	_, err = readWith(t, name, aztables.SASSignatureValues{IPRange: elsewhere})
	refused(t, err, 403, sourceAddressMismatch)
	_, err = readWith(t, name, aztables.SASSignatureValues{
		IPRange: aztables.IPRange{Start: elsewhere.Start},
	})
	refused(t, err, 403, sourceAddressMismatch)
	_, err = readWith(t, name, aztables.SASSignatureValues{Protocol: aztables.SASProtocolHTTPS})
	if strings.HasPrefix(endpoint, "https:") {
		must(t, err)
	} else {
		refused(t, err, 403, protocolMismatch)
	}
	_, err = readWith(t, name, aztables.SASSignatureValues{Protocol: "http"})
	unauthenticated(t, err)
}

func TestTableSASAllowsOnlyEntityOperations(t *testing.T) {
	table, name := newTable(t)
	token := tableToken(t, aztables.SASSignatureValues{TableName: name, Permissions: "raud"})
	holder, service := tableWith(t, token, name), serviceWith(t, token)
	_, err := holder.CreateTable(ctx, nil)
	refused(t, err, 403, authorizationFailure)
	_, err = holder.Delete(ctx, nil)
	refused(t, err, 403, authorizationFailure)
	_, err = holder.GetAccessPolicy(ctx, nil)
	refused(t, err, 403, authorizationFailure)
	refused(t, setPolicies(holder), 403, authorizationFailure)
	_, err = service.NewListTablesPager(nil).NextPage(ctx)
	refused(t, err, 403, authorizationFailure)
	_, err = service.GetProperties(ctx, nil)
	refused(t, err, 403, authorizationFailure)
	_, err = service.SetProperties(ctx, aztables.ServiceProperties{}, nil)
	refused(t, err, 403, authorizationFailure)
	equal(t, "entities", listAll(t, table), []object{})
}

func setPolicy(t *testing.T, table *aztables.Client, id string, policy aztables.AccessPolicy) {
	t.Helper()
	must(t, setPolicies(table, &aztables.SignedIdentifier{ID: &id, AccessPolicy: &policy}))
}

func TestPolicySASFollowsEachChangeOfStoredPolicy(t *testing.T) {
	table, name := newTable(t)
	earlier, later := fromNow(-time.Hour), fromNow(time.Hour)
	holder := tableWith(t, tableToken(t, aztables.SASSignatureValues{
		TableName: name, Identifier: "desk",
	}), name)
	_, err := list(holder, aztables.ListEntitiesOptions{})
	unauthenticated(t, err)

	setPolicy(t, table, "desk", aztables.AccessPolicy{Permission: pointer("r"), Expiry: &later})
	equal(t, "entities", listAll(t, holder), []object{})
	_, err = holder.AddEntity(ctx, encode(t, stored), nil)
	refused(t, err, 403, permissionMismatch)

	setPolicy(t, table, "desk", aztables.AccessPolicy{
		Permission: pointer("ra"), Start: &earlier, Expiry: &later,
	})
	add(t, holder, stored)
	equal(t, "table", contents(t, holder), map[string]object{"stored": {"n": 1.0}})

	for _, policy := range []aztables.AccessPolicy{
		{Permission: pointer("r"), Expiry: &earlier},
		{Permission: pointer("r"), Start: &later, Expiry: &later},
		{Permission: pointer("r")},
		{Expiry: &later},
	} {
		setPolicy(t, table, "desk", policy)
		_, err = list(holder, aztables.ListEntitiesOptions{})
		unauthenticated(t, err)
	}

	setPolicy(t, table, "desk", aztables.AccessPolicy{Permission: pointer("r"), Expiry: &later})
	equal(t, "table", contents(t, holder), map[string]object{"stored": {"n": 1.0}})
	setPolicy(t, table, "other", aztables.AccessPolicy{Permission: pointer("r"), Expiry: &later})
	_, err = list(holder, aztables.ListEntitiesOptions{})
	unauthenticated(t, err)
	must(t, setPolicies(table))
	_, err = list(holder, aztables.ListEntitiesOptions{})
	unauthenticated(t, err)
}

func TestPolicySASWorksOnlyWhenEachFieldIsSetOnce(t *testing.T) {
	table, name := newTable(t)
	add(t, table, stored)
	later := fromNow(time.Hour)

	setPolicy(t, table, "half", aztables.AccessPolicy{Permission: pointer("r")})
	_, err := readWith(t, name, aztables.SASSignatureValues{Identifier: "half", ExpiryTime: later})
	must(t, err)
	setPolicy(t, table, "half", aztables.AccessPolicy{Expiry: &later})
	_, err = readWith(t, name, aztables.SASSignatureValues{Identifier: "half", Permissions: "r"})
	must(t, err)

	setPolicy(t, table, "half", aztables.AccessPolicy{Permission: pointer("r"), Expiry: &later})
	_, err = readWith(t, name, aztables.SASSignatureValues{Identifier: "half", ExpiryTime: later})
	unauthenticated(t, err)
	_, err = readWith(t, name, aztables.SASSignatureValues{Identifier: "half", Permissions: "r"})
	unauthenticated(t, err)
}

func TestQueryStaysInKeyBoundsWhenSASNamesPolicy(t *testing.T) {
	table, name := newTable(t)
	addKeys(t, table)
	later := fromNow(time.Hour)
	setPolicy(t, table, "part", aztables.AccessPolicy{Permission: pointer("r"), Expiry: &later})
	found, err := readWith(t, name, aztables.SASSignatureValues{
		Identifier: "part", StartPartitionKey: "b", EndPartitionKey: "b",
	})
	must(t, err)
	equal(t, "keys", found, tokenKeys[3:5])
}

func TestPolicySASFailsWith403AfterTableIsRecreated(t *testing.T) {
	table, name := newTable(t)
	later := fromNow(time.Hour)
	setPolicy(t, table, "old", aztables.AccessPolicy{Permission: pointer("r"), Expiry: &later})
	_, err := readWith(t, name, aztables.SASSignatureValues{Identifier: "old"})
	must(t, err)
	_, err = table.Delete(ctx, nil)
	must(t, err)
	_, err = table.CreateTable(ctx, nil)
	must(t, err)
	_, err = readWith(t, name, aztables.SASSignatureValues{Identifier: "old"})
	unauthenticated(t, err)
}
