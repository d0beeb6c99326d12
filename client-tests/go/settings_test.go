package clienttests

import (
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
)

const invalidXMLDocument aztables.TableErrorCode = "InvalidXmlDocument"

var (
	policyStart  = time.Date(2021, 6, 8, 2, 5, 9, 0, time.UTC)
	policyExpiry = time.Date(2021, 6, 8, 3, 10, 9, 0, time.UTC)
)

func pointer[T any](value T) *T { return &value }

func setPolicies(table *aztables.Client, policies ...*aztables.SignedIdentifier) error {
	_, err := table.SetAccessPolicy(ctx, &aztables.SetAccessPolicyOptions{TableACL: policies})
	return err
}

func bare(id string) *aztables.SignedIdentifier { return &aztables.SignedIdentifier{ID: &id} }

func policiesOf(t *testing.T, table *aztables.Client) []*aztables.SignedIdentifier {
	t.Helper()
	answer, err := table.GetAccessPolicy(ctx, nil)
	must(t, err)
	return answer.SignedIdentifiers
}

func TestGetTableACLReturnsNoPoliciesWhenTableIsNew(t *testing.T) {
	table, _ := newTable(t)
	equal(t, "policies", len(policiesOf(t, table)), 0)
}

func TestGetTableACLReturnsPoliciesAsSet(t *testing.T) {
	table, _ := newTable(t)
	full := bare("full")
	full.AccessPolicy = &aztables.AccessPolicy{
		Start: &policyStart, Expiry: &policyExpiry, Permission: pointer("raud"),
	}
	must(t, setPolicies(table, full, bare("none")))
	equal(t, "policies", policiesOf(t, table), []*aztables.SignedIdentifier{full, bare("none")})
}

func TestSetTableACLReplacesAllStoredPolicies(t *testing.T) {
	table, _ := newTable(t)
	must(t, setPolicies(table, bare("a"), bare("b")))
	must(t, setPolicies(table, bare("c")))
	equal(t, "policies", policiesOf(t, table), []*aztables.SignedIdentifier{bare("c")})
	must(t, setPolicies(table))
	equal(t, "policies", len(policiesOf(t, table)), 0)
}

func TestSetTableACLStoresPolicyWhenFieldsAreAbsent(t *testing.T) {
	table, _ := newTable(t)
	part := func(id string, policy aztables.AccessPolicy) *aztables.SignedIdentifier {
		return &aztables.SignedIdentifier{ID: &id, AccessPolicy: &policy}
	}
	policies := []*aztables.SignedIdentifier{
		part("starts", aztables.AccessPolicy{Start: &policyStart}),
		part("expires", aztables.AccessPolicy{Expiry: &policyExpiry}),
		part("permits", aztables.AccessPolicy{Permission: pointer("ad")}),
		part("for ever", aztables.AccessPolicy{Start: &policyStart, Permission: pointer("raud")}),
		bare("none"),
	}
	must(t, setPolicies(table, policies...))
	equal(t, "policies", policiesOf(t, table), policies)
	must(t, setPolicies(table, part("none", aztables.AccessPolicy{})))
	equal(t, "policies", policiesOf(t, table), []*aztables.SignedIdentifier{bare("none")})
}

// The SDK sends times to the nanosecond, the protocol has seven digits of a second.
func TestSetTableACLFailsWith400WhenTimeIsFinerThan100Ns(t *testing.T) {
	table, _ := newTable(t)
	at := func(nanoseconds int) *aztables.SignedIdentifier {
		one := bare("a")
		expiry := policyExpiry.Add(time.Duration(nanoseconds))
		one.AccessPolicy = &aztables.AccessPolicy{Expiry: &expiry}
		return one
	}
	must(t, setPolicies(table, at(123_456_700)))
	equal(t, "policies", policiesOf(t, table), []*aztables.SignedIdentifier{at(123_456_700)})
	refused(t, setPolicies(table, at(123_456_789)), 400, invalidXMLDocument)
	equal(t, "policies", policiesOf(t, table), []*aztables.SignedIdentifier{at(123_456_700)})
}

func TestSDKRejectsSetTableACLWhenGivenSixPolicies(t *testing.T) {
	table, _ := newTable(t)
	five := []*aztables.SignedIdentifier{bare("0"), bare("1"), bare("2"), bare("3"), bare("4")}
	must(t, setPolicies(table, five...))
	err := setPolicies(table, append(five, bare("5"))...)
	if err == nil || codeOf(err) != "" {
		t.Fatalf("error: %v (expected: one of the SDK)", err)
	}
	equal(t, "policies", policiesOf(t, table), five)
}

func TestSetTableACLFailsWith400WhenIDHas65Characters(t *testing.T) {
	table, _ := newTable(t)
	must(t, setPolicies(table, bare(strings.Repeat("x", 64))))
	err := setPolicies(table, bare(strings.Repeat("x", 65)))
	refused(t, err, 400, invalidXMLDocument)
	equal(t, "policies", len(policiesOf(t, table)), 1)
}

func TestGetAndSetTableACLFailWith404WhenTableIsMissing(t *testing.T) {
	missing := newServiceClient(t).NewClient(uniqueTableName())
	_, err := missing.GetAccessPolicy(ctx, nil)
	refused(t, err, 404, aztables.TableNotFound)
	refused(t, setPolicies(missing, bare("a")), 404, aztables.TableNotFound)
}

// takeTurn until the test ends: one at a time, of whatever suite. The suite that inserts this entity
// has the turn.
func takeTurn(t *testing.T, service *aztables.ServiceClient) {
	t.Helper()
	turns := service.NewClient("ClientTestTurns")
	// It may be there already.
	_, _ = turns.CreateTable(ctx, nil)
	giveUp := time.Now().Add(2 * time.Minute)
	for {
		_, err := turns.AddEntity(ctx, []byte(`{"PartitionKey":"settings","RowKey":"turn"}`), nil)
		if err == nil {
			break
		}
		if time.Now().After(giveUp) {
			t.Fatalf("a run left its turn behind: delete ClientTestTurns: %v", err)
		}
		time.Sleep(200 * time.Millisecond)
	}
	t.Cleanup(func() {
		if _, err := turns.DeleteEntity(ctx, "settings", "turn", nil); err != nil {
			t.Errorf("giving the turn back: %v", err)
		}
	})
}

// putPropertiesBack when the test ends: they belong to the account and not to the test.
func putPropertiesBack(t *testing.T, service *aztables.ServiceClient) {
	t.Helper()
	takeTurn(t, service)
	found, err := service.GetProperties(ctx, nil)
	must(t, err)
	t.Cleanup(func() {
		if found.Cors == nil {
			found.Cors = []*aztables.CorsRule{}
		}
		if _, err := service.SetProperties(ctx, found.ServiceProperties, nil); err != nil {
			t.Errorf("putting the properties back: %v", err)
		}
	})
}

func TestSetServicePropertiesStoresGivenAndKeepsOthers(t *testing.T) {
	service := newServiceClient(t)
	putPropertiesBack(t, service)
	week := &aztables.RetentionPolicy{Enabled: pointer(true), Days: pointer[int32](7)}
	logging := &aztables.Logging{
		Version: pointer("1.0"), Read: pointer(true), Write: pointer(false), Delete: pointer(true),
		RetentionPolicy: week,
	}
	metrics := &aztables.Metrics{
		Version: pointer("1.0"), Enabled: pointer(true), IncludeAPIs: pointer(true),
		RetentionPolicy: week,
	}
	rule := &aztables.CorsRule{
		AllowedOrigins:  pointer("http://a.example"),
		AllowedMethods:  pointer("GET,PUT"),
		AllowedHeaders:  pointer("x-ms-date,x-ms-meta-*"),
		ExposedHeaders:  pointer("etag"),
		MaxAgeInSeconds: pointer[int32](500),
	}
	_, err := service.SetProperties(ctx, aztables.ServiceProperties{
		Logging: logging, HourMetrics: metrics, Cors: []*aztables.CorsRule{rule},
	}, nil)
	must(t, err)
	_, err = service.SetProperties(ctx, aztables.ServiceProperties{MinuteMetrics: metrics}, nil)
	must(t, err)

	read, err := service.GetProperties(ctx, nil)
	must(t, err)
	equal(t, "logging", read.Logging, logging)
	equal(t, "hour metrics", read.HourMetrics, metrics)
	equal(t, "minute metrics", read.MinuteMetrics, metrics)
	equal(t, "rules", read.Cors, []*aztables.CorsRule{rule})
}

func TestSetServicePropertiesFailsWith400For366DayRetention(t *testing.T) {
	_, err := newServiceClient(t).SetProperties(ctx, aztables.ServiceProperties{
		MinuteMetrics: &aztables.Metrics{
			Version: pointer("1.0"), Enabled: pointer(true), IncludeAPIs: pointer(true),
			RetentionPolicy: &aztables.RetentionPolicy{
				Enabled: pointer(true), Days: pointer[int32](366),
			},
		},
	}, nil)
	refused(t, err, 400, invalidXMLDocument)
}

func TestGetServiceStatsReturnsLiveAtSecondary(t *testing.T) {
	before := time.Now().Add(-5 * time.Minute)
	secondary := newServiceClientAt(t, strings.TrimSuffix(endpoint, "/")+"-secondary", account, key)
	answer, err := secondary.GetStatistics(ctx, nil)
	must(t, err)
	equal(t, "status", *answer.GeoReplication.Status, aztables.GeoReplicationStatusLive)
	if !answer.GeoReplication.LastSyncTime.After(before) {
		t.Fatalf("last sync: %v (expected: after %v)", answer.GeoReplication.LastSyncTime, before)
	}
}
