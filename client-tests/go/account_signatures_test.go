package clienttests

import (
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
)

const allAccountLetters = "rwdlacup"

func TestAccountSASAllowsExactlyOperationsOfPermissions(t *testing.T) {
	for _, permissions := range []string{"r", "a", "u", "d", "au", "wlcp", "raud"} {
		t.Run("Account SAS allows exactly operations of sp="+permissions, func(t *testing.T) {
			table, name := newTable(t)
			heldTo(t, permissions, tableWith(t, only(t, "o", permissions), name), table)
		})
	}
}

func TestAccountSASAllowsEntityOperationsOnlyWithSrtO(t *testing.T) {
	table, name := newTable(t)
	add(t, table, stored)
	holder := tableWith(t, only(t, "sc", allAccountLetters), name)
	for _, one := range operations() {
		refused(t, one.run(t, holder), 403, resourceTypeMismatch)
	}
	refused(t, submit(holder, add1(t, "new", nil)), 403, resourceTypeMismatch)
	equal(t, "table", contents(t, table), map[string]object{"stored": {"n": 1.0}})
}

func TestAccountSASAllowsTableOperationsOnlyWithSrtC(t *testing.T) {
	name := uniqueTableName()
	create := func(token string) error {
		_, err := serviceWith(t, token).CreateTable(ctx, name, nil)
		return err
	}
	remove := func(token string) error {
		_, err := serviceWith(t, token).DeleteTable(ctx, name, nil)
		return err
	}
	listed := func(token string) ([]string, error) {
		options := &aztables.ListTablesOptions{Filter: pointer(named(name))}
		page, err := serviceWith(t, token).NewListTablesPager(options).NextPage(ctx)
		found := []string{}
		for _, one := range page.Tables {
			found = append(found, *one.Name)
		}
		return found, err
	}
	refused(t, create(only(t, "so", allAccountLetters)), 403, resourceTypeMismatch)
	refused(t, remove(only(t, "so", allAccountLetters)), 403, resourceTypeMismatch)
	_, err := listed(only(t, "so", allAccountLetters))
	refused(t, err, 403, resourceTypeMismatch)
	refused(t, create(only(t, "c", "rdlaup")), 403, permissionMismatch)
	refused(t, remove(only(t, "c", "rwlacup")), 403, permissionMismatch)
	_, err = listed(only(t, "c", "rwdacup"))
	refused(t, err, 403, permissionMismatch)

	for _, letter := range []string{"c", "w"} {
		must(t, create(only(t, "c", letter)))
		found, err := listed(only(t, "c", "l"))
		must(t, err)
		equal(t, "tables", found, []string{name})
		must(t, remove(only(t, "c", "d")))
	}
	found, err := listed(only(t, "c", "l"))
	must(t, err)
	equal(t, "tables", found, []string{})
}

func TestAccountSASAllowsServiceOperationsOnlyWithSrtS(t *testing.T) {
	secondary := strings.TrimSuffix(endpoint, "/") + "-secondary"
	properties := func(token string) error {
		_, err := serviceWith(t, token).GetProperties(ctx, nil)
		return err
	}
	state := func(token string) error {
		_, err := serviceAtWith(t, secondary, token).GetStatistics(ctx, nil)
		return err
	}
	// To set nothing leaves all as it is: others may be reading.
	set := func(token string) error {
		_, err := serviceWith(t, token).SetProperties(ctx, aztables.ServiceProperties{}, nil)
		return err
	}
	for _, one := range []struct {
		call           func(token string) error
		letter, others string
	}{
		{properties, "r", "wdlacup"}, {state, "r", "wdlacup"}, {set, "w", "rdlacup"},
	} {
		refused(t, one.call(only(t, "co", allAccountLetters)), 403, resourceTypeMismatch)
		refused(t, one.call(only(t, "s", one.others)), 403, permissionMismatch)
		must(t, one.call(only(t, "s", one.letter)))
	}
}

func TestGetAndSetTableACLFailWith403ForAccountSAS(t *testing.T) {
	table, name := newTable(t)
	holder := tableWith(t, only(t, "sco", allAccountLetters), name)
	_, err := holder.GetAccessPolicy(ctx, nil)
	refused(t, err, 403, authorizationFailure)
	refused(t, setPolicies(holder, bare("a")), 403, authorizationFailure)
	equal(t, "policies", len(policiesOf(t, table)), 0)
}

func TestAccountSASFailsWith403WhenSignedServicesLackTables(t *testing.T) {
	_, name := newTable(t)
	token := accountToken(t, aztables.AccountSASSignatureValues{
		Services: "bqf", ResourceTypes: "sco", Permissions: allAccountLetters,
	})
	_, err := list(tableWith(t, token, name), aztables.ListEntitiesOptions{})
	refused(t, err, 403, serviceMismatch)
	_, err = serviceWith(t, token).GetProperties(ctx, nil)
	refused(t, err, 403, serviceMismatch)
	token = accountToken(t, aztables.AccountSASSignatureValues{
		Services: "bqtf", ResourceTypes: "o", Permissions: "r",
	})
	_, err = list(tableWith(t, token, name), aztables.ListEntitiesOptions{})
	must(t, err)
}

func TestAccountSASWorksOnlyWithinTimesIPsAndProtocol(t *testing.T) {
	_, name := newTable(t)
	read := func(values aztables.AccountSASSignatureValues) error {
		values.ResourceTypes, values.Permissions = "o", "r"
		_, err := list(tableWith(t, accountToken(t, values), name), aztables.ListEntitiesOptions{})
		return err
	}
	must(t, read(aztables.AccountSASSignatureValues{
		StartTime: fromNow(-time.Hour), IPRange: anywhere, Protocol: aztables.SASProtocolHTTPSandHTTP,
	}))
	unauthenticated(t, read(aztables.AccountSASSignatureValues{ExpiryTime: fromNow(-time.Hour)}))
	unauthenticated(t, read(aztables.AccountSASSignatureValues{StartTime: fromNow(time.Minute)}))
	unauthenticated(t, read(aztables.AccountSASSignatureValues{Protocol: "http"}))
	err := read(aztables.AccountSASSignatureValues{IPRange: elsewhere})
	refused(t, err, 403, sourceAddressMismatch)
}

func TestAccountSASURLOfSDKWorksOnlyOverHTTPS(t *testing.T) {
	address, err := newServiceClient(t).GetAccountSASURL(
		aztables.AccountSASResourceTypes{Service: true}, aztables.AccountSASPermissions{Read: true},
		fromNow(-time.Hour), fromNow(time.Hour))
	must(t, err)
	service, err := aztables.NewServiceClientWithNoCredential(address, clientOptions())
	must(t, err)
	_, err = service.GetProperties(ctx, nil)
	if strings.HasPrefix(endpoint, "https:") {
		must(t, err)
	} else {
		refused(t, err, 403, protocolMismatch)
	}
}

func TestAccountSASFailsWith403WhenSignedFieldIsAltered(t *testing.T) {
	_, name := newTable(t)
	token := only(t, "o", "r")
	for _, change := range [][2]string{{"sp=r", "sp=ra"}, {"srt=o", "srt=sco"}, {"ss=t", "ss=bt"}} {
		touched := strings.Replace(token, change[0], change[1], 1)
		if touched == token {
			t.Fatal("the token is as it was")
		}
		_, err := list(tableWith(t, touched, name), aztables.ListEntitiesOptions{})
		unauthenticated(t, err)
	}
}
