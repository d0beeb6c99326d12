package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.parterre.proto.admin.ListJournalRequest;
import org.junit.jupiter.api.Test;

/** Commands that show how the cluster is. */
class QueryCommandsTest extends OperatorShell {
    @Test
    void nodesPrintsTableAndJson() throws Exception {
        assertThat(run("nodes", "--manager", "m2:2")).isZero();
        assertThat(out.toString().lines().toList())
                .satisfiesExactly(
                        headings -> assertThat(headings).startsWith("NODE  HEARD"),
                        first ->
                                assertThat(first)
                                        .matches(
                                                "s1 +up +in use +3 +2 +1 +67% +- +west +s1:1 +- +-"),
                        second ->
                                assertThat(second)
                                        .matches(
                                                "s2 +suspect 7s +decommissioning +0 +0 +0"
                                                        + " +- +3, 3\\.0 MiB \\(40 s\\) to s1"
                                                        + " +- +s2:1 +- +-"));
        out.getBuffer().setLength(0);
        assertThat(run("nodes", "--manager", "m2:2", "--json")).isZero();
        JsonNode nodes = new ObjectMapper().readTree(out.toString()).path("nodes");
        JsonNode first = nodes.path(0);
        assertThat(first.path("node").path("state").asText()).isEqualTo("in_use");
        assertThat(first.path("diskUsedPercent").asInt()).isEqualTo(67);
        JsonNode second = nodes.path(1);
        assertThat(second.path("node").path("serviceAddress").asText()).isEqualTo("s2:1");
        assertThat(second.path("node").path("state").asText()).isEqualTo("decommissioning");
        assertThat(second.path("silentMillis").asInt()).isEqualTo(7_100);
        assertThat(second.path("leads").isInt()).isTrue();
    }

    @Test
    void nodesHidesRemovedServers_withoutAllFlag() {
        assertThat(run("nodes", "--manager=m2:2")).isZero();
        assertThat(out.toString()).doesNotContain("removed");
        assertThat(run("nodes", "--all", "--manager=m2:2")).isZero();
        assertThat(out.toString()).containsPattern("s0 +- +removed +0 +0 +0 +- ");
    }

    @Test
    void rangesPrintsAllPages_untilTheLimit() {
        assertThat(run("ranges", "--manager", "m2:2")).isZero();
        assertThat(leader.heard).hasSize(FakeAdmin.RANGES);
        assertThat(out.toString().lines().toList())
                .hasSize(1 + FakeAdmin.RANGES)
                .anyMatch(
                        line ->
                                line.matches(
                                        "1 +4 +s1 +s1,s2\\(dead missing\\) +\\(first\\) +3.0MiB +13 +-"))
                .anyMatch(line -> line.matches("2 +4 .* 01 +0B +- +\\+s3 -s2 12s copying"))
                .anyMatch(line -> line.matches("3 +4 .* goes into 2 5s has to be joined"));
        out.getBuffer().setLength(0);
        assertThat(run("ranges", "--manager", "m2:2", "--limit", "2")).isZero();
        assertThat(out.toString().lines().toList())
                .hasSize(4)
                .endsWith("there are more; --limit shows them");
    }

    @Test
    void explainNodePrintsStateAndReasons() {
        assertThat(run("explain", "node", "s1", "--manager", "m2:2")).isZero();
        assertThat(out.toString())
                .contains("node s1")
                .contains("it is UP, silent for 0 s, and ACTIVE")
                .contains("node s2 is dead");
    }

    @Test
    void explainRangePrintsStateAndRejectsUnknownRange() {
        assertThat(run("explain", "range", "2", "--manager", "m2:2")).isZero();
        assertThat(out.toString())
                .contains("range 2, generation 4, leader s1")
                .contains("to the last\n")
                .containsPattern("s1 +up +70 +- +-")
                .containsPattern("s2 +dead +0 +0 +dead missing")
                .contains("move: +s3 -s2 12s copying: s2 is dead")
                .doesNotContain("goes into")
                .contains("2 of 3 members are healthy");
        assertThat(run("explain", "range", "3", "--manager", "m2:2")).isZero();
        assertThat(out.toString()).contains("goes into 2 5s has to be joined: QUIET");
        assertThat(run("explain", "range", "99", "--manager", "m2:2"))
                .isEqualTo(ExitCode.REFUSED.code());
        assertThat(err.toString()).isEqualTo("parterre: range 99 does not exist\n");
    }

    @Test
    void journalPrintsEntries_withRequestedFilters() throws Exception {
        assertThat(
                        run(
                                "journal",
                                "--manager",
                                "m2:2",
                                "--since",
                                "1970-01-01T00:00:30Z",
                                "--range",
                                "2",
                                "--node",
                                "s3",
                                "--limit",
                                "5"))
                .isZero();
        assertThat(leader.heard)
                .containsExactly(
                        ListJournalRequest.newBuilder()
                                .setSinceMillis(30_000)
                                .setRangeId(2)
                                .setNodeId("s3")
                                .setCountMax(5)
                                .build());
        assertThat(out.toString().lines().toList())
                .satisfiesExactly(
                        more ->
                                assertThat(more)
                                        .isEqualTo("there are 7 older ones; --limit shows more"),
                        headings -> assertThat(headings).matches("TIME +WHAT +RANGE +NODE +WHY"),
                        move ->
                                assertThat(move)
                                        .matches(
                                                "1970-01-01T00:00:01Z +decided move +2 +s3,s2"
                                                        + " +\\+s3 -s2, REPAIR: node s2 is dead"),
                        left ->
                                assertThat(left)
                                        .matches(
                                                "1970-01-01T00:01:02Z +left no_split_point +3 +- +3000"
                                                        + " operations a second \\(60 times since"
                                                        + " 1970-01-01T00:00:02Z\\)"));
        out.getBuffer().setLength(0);
        assertThat(run("journal", "--manager", "m2:2", "--json")).isZero();
        assertThat(
                        new ObjectMapper()
                                .readTree(out.toString())
                                .path("entries")
                                .path(1)
                                .path("count")
                                .asInt())
                .isEqualTo(60);
        assertThat(run("journal", "--manager", "m2:2", "--since", "then"))
                .isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString()).contains("--since: 'then' (expected: as 30m");
    }

    @Test
    void frontEndsPrintsHowFarRangeMapsLag() {
        assertThat(run("front-ends", "--manager=m2:2")).isZero();
        assertThat(out.toString().lines().toList())
                .satisfiesExactly(
                        headings -> assertThat(headings).startsWith("FRONT END"),
                        first -> assertThat(first).matches("f1 +f1:10002 +9 +8 +3 +70s +1\\.2"),
                        silent ->
                                assertThat(silent).matches("f2 +f2:10002 +- +7 +5 +silent 30s +-"));
    }
}
