package io.parterre.manager.lead;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parterre.manager.lead.LeaderHints.Hint;
import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapApply;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapDelta;
import io.parterre.manager.plan.policy.QuotaPolicy;
import io.parterre.manager.reason.Reason;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.release.Release;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WatchHubTest {
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");

    private Instant now = Instant.EPOCH;
    private ClusterMap map = ClusterMap.EMPTY;
    private QuotaPolicy quotas = QuotaPolicy.DEFAULT;
    private final DeltaLog deltas = new DeltaLog(3);
    private final LeaderHints hints = new LeaderHints();
    private final WatchHub hub =
            new WatchHub(
                    () -> map,
                    () -> quotas,
                    deltas,
                    hints,
                    2,
                    new PartitionManagerMetrics(new SimpleMeterRegistry(), () -> map),
                    () -> now);
    private final FakeWatcher watcher = new FakeWatcher();

    @Test
    void watcherReceivesWholeMapThenChanges_whenMapChanges() {
        register("n1");
        hub.add(watcher);
        register("n2");
        hub.advanceAll();
        assertThat(watcher.seen).containsExactly("whole 1 []", "changes 2 1 []");
    }

    @Test
    void watcherReceivesNoUpdate_whenNothingChanged() {
        hub.add(watcher);
        hub.advanceAll();
        hub.advanceAll();
        assertThat(watcher.seen).containsExactly("whole 0 []");
    }

    @Test
    void slowWatcherReceivesMissedChangesInOneUpdate_whenReady() {
        hub.add(watcher);
        watcher.ready = false;
        register("n1");
        hub.advanceAll();
        register("n2");
        hub.advanceAll();
        assertThat(watcher.seen).containsExactly("whole 0 []");

        watcher.ready = true;
        hub.advance(watcher);
        assertThat(watcher.seen).containsExactly("whole 0 []", "changes 2 2 []");
    }

    @Test
    void watcherReceivesWholeMap_whenItFallsBehindTheDeltaLog() {
        hub.add(watcher);
        watcher.ready = false;
        for (int i = 1; i <= 4; i++) {
            register("n" + i);
            hub.advanceAll();
        }
        watcher.ready = true;
        hub.advance(watcher);
        assertThat(watcher.seen).containsExactly("whole 0 []", "whole 4 []");
    }

    @Test
    void watcherReceivesNewLeader_withoutNewMapVersion() {
        hub.add(watcher);
        hints.leads(new RangeId(1), N1);
        hub.advanceAll();
        hints.leads(new RangeId(1), N1);
        hub.advanceAll();
        hints.leads(new RangeId(1), N2);
        hints.leads(new RangeId(2), N2);
        hub.advanceAll();
        assertThat(watcher.seen)
                .containsExactly("whole 0 []", "changes 0 0 [1@n1]", "changes 0 0 [1@n2, 2@n2]");

        FakeWatcher late = new FakeWatcher();
        hub.add(late);
        assertThat(late.seen).containsExactly("whole 0 [1@n2, 2@n2]");
    }

    @Test
    void returningWatcherReceivesMissedChanges_fromItsKnownVersion() {
        for (int i = 1; i <= 3; i++) {
            register("n" + i);
        }
        hints.leads(new RangeId(1), N1);
        watcher.known = 1;
        hub.add(watcher);
        hub.advanceAll();
        assertThat(watcher.seen).containsExactly("changes 3 2 [1@n1]");
        assertThat(hub.progress()).extracting(Watchers.Progress::sentVersion).containsExactly(3L);
    }

    @Test
    void returningWatcherReceivesEmptyUpdate_whenItMissedNothing() {
        register("n1");
        watcher.known = 1;
        hub.add(watcher);
        hub.advanceAll();
        assertThat(watcher.seen).containsExactly("changes 1 0 []");
    }

    @Test
    void returningWatcherReceivesWholeMap_whenVersionIsOldOrAhead() {
        for (int i = 1; i <= 5; i++) {
            register("n" + i);
        }
        watcher.known = 1;
        hub.add(watcher);
        FakeWatcher ahead = new FakeWatcher();
        ahead.known = 6;
        hub.add(ahead);
        assertThat(watcher.seen).containsExactly("whole 5 []", "changes 5 0 []");
        assertThat(ahead.seen).containsExactly("whole 5 []");
    }

    @Test
    void watcherIsRejected_whenWatcherLimitIsReached() {
        assertThat(hub.add(watcher)).isTrue();
        assertThat(hub.add(new FakeWatcher())).isTrue();
        assertThat(hub.add(new FakeWatcher())).isFalse();
        hub.remove(watcher);
        assertThat(hub.add(new FakeWatcher())).isTrue();
    }

    @Test
    void watchersLearnQuotaSharerCount_whenAnotherJoinsOrLeaves() {
        hub.add(watcher);
        assertThat(watcher.told).isEqualTo(new QuotaShares(QuotaPolicy.DEFAULT, 1));
        FakeWatcher other = new FakeWatcher();
        hub.add(other);
        assertThat(other.told.frontEnds()).isEqualTo(2);
        assertThat(watcher.told.frontEnds()).isEqualTo(2);
        hub.remove(other);
        assertThat(watcher.told.frontEnds()).isEqualTo(1);
    }

    @Test
    void watcherReceivesNewQuotas_withoutNewMapVersion() {
        hub.add(watcher);
        quotas = new QuotaPolicy(5, 0, 0, 0, Duration.ofSeconds(1));
        hub.advanceAll();
        hub.advanceAll();
        assertThat(watcher.seen).containsExactly("whole 0 []", "changes 0 0 []");
        assertThat(watcher.told.quotas()).isEqualTo(quotas);
    }

    private static FakeWatcher frontEnd(String instance) {
        FakeWatcher one = new FakeWatcher();
        one.instance = instance;
        return one;
    }

    @Test
    void progressShowsVersionThatWatcherConfirmed_notTheOneSent() {
        register("n1");
        FakeWatcher one = frontEnd("a");
        hub.add(one);
        assertThat(hub.progress().get(0).confirmedVersion()).isZero();
        hub.confirmed("a", 1, true);
        register("n2");
        hub.advanceAll();
        assertThat(hub.progress().get(0).sentVersion()).isEqualTo(2);
        assertThat(hub.progress().get(0).confirmedVersion()).isEqualTo(1);
        hub.confirmed("a", 9, false);
        assertThat(hub.progress().get(0).confirmedVersion()).isEqualTo(1);
    }

    @Test
    void progressShowsSentVersion_whenWatcherConfirmsNothing() {
        register("n1");
        hub.add(watcher);
        assertThat(hub.progress().get(0).confirmedVersion()).isEqualTo(1);
    }

    @Test
    void watcherIsSilent_whenItsWatchEndedWithoutAWord() {
        FakeWatcher one = frontEnd("a");
        hub.add(one);
        hub.confirmed("a", 1, true);
        assertThat(hub.silent()).isEmpty();
        hub.remove(one);
        now = Instant.EPOCH.plusSeconds(30);
        assertThat(hub.silent())
                .containsExactly(new Watchers.Silent(one.name(), 1, Duration.ofSeconds(30)));
        now = Instant.EPOCH.plus(Duration.ofHours(25));
        assertThat(hub.silent()).isEmpty();
    }

    @Test
    void watcherIsNotSilent_whenItComesAgainOrHasLeft() {
        FakeWatcher one = frontEnd("a");
        hub.add(one);
        FakeWatcher again = frontEnd("a");
        hub.add(again);
        hub.remove(one);
        assertThat(hub.silent()).isEmpty();
        hub.left("a");
        hub.remove(again);
        assertThat(hub.silent()).isEmpty();
    }

    @Test
    void silentWatcherIsForgotten_whenAnotherStartTakesItsAddress() {
        FakeWatcher one = frontEnd("a");
        hub.add(one);
        hub.remove(one);
        assertThat(hub.silent()).hasSize(1);
        hub.add(frontEnd("b"));
        assertThat(hub.silent()).isEmpty();
    }

    @Test
    void watchersAreSentToLeaderOnce_whenLeadershipEnds() {
        hub.add(watcher);
        hub.end(Optional.of("m2:1"));
        register("n1");
        hub.advanceAll();
        hub.end(Optional.empty());
        assertThat(watcher.seen).containsExactly("whole 0 []", "ended m2:1");
    }

    private void register(String id) {
        MapApply.Applied applied =
                MapApply.apply(
                        map,
                        new MapCommand.RegisterNode(
                                new ClusterNode(new NodeId(id), "h:1", "h:2", "", "")));
        map = applied.map();
        deltas.append(applied.delta().orElseThrow());
    }

    private static final class FakeWatcher implements Watcher {
        final List<String> seen = new ArrayList<>();
        boolean ready = true;
        QuotaShares told;
        String instance = "";
        long known;

        @Override
        public WatcherName name() {
            return new WatcherName("fake", "h:1", Release.running(""), instance);
        }

        @Override
        public long knownVersion(Optional<ClusterId> clusterId) {
            return known;
        }

        @Override
        public void refused(Reason why) {
            seen.add("refused " + why);
        }

        @Override
        public boolean isReady() {
            return ready;
        }

        @Override
        public void whole(ClusterMap whole, List<Hint> hints, QuotaShares shares) {
            told = shares;
            seen.add("whole " + whole.version() + " " + text(hints));
        }

        @Override
        public void changes(
                ClusterMap now,
                long version,
                List<MapDelta> changes,
                List<Hint> hints,
                QuotaShares shares) {
            told = shares;
            seen.add("changes " + version + " " + changes.size() + " " + text(hints));
        }

        @Override
        public void ended(Optional<String> leaderAddress) {
            seen.add("ended " + leaderAddress.orElse("?"));
        }

        private static List<String> text(List<Hint> hints) {
            return hints.stream().map(hint -> hint.rangeId() + "@" + hint.nodeId()).toList();
        }
    }
}
