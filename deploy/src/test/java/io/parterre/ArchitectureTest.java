package io.parterre;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static io.parterre.RulesOfUse.asksNeitherTimeNorChance;
import static io.parterre.RulesOfUse.doesNoIo;
import static io.parterre.RulesOfUse.keepsNoTime;
import static io.parterre.RulesOfUse.named;
import static io.parterre.RulesOfUse.parksNot;
import static io.parterre.RulesOfUse.printsNot;
import static io.parterre.RulesOfUse.sleepsNot;
import static io.parterre.RulesOfUse.usesNoRatis;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.ratis.util.TimeDuration;

/**
 * Reads the compiled classes of every module and holds them to the map of the tree: roles know
 * {@code proto} and {@code raft-support} and not each other, few packages know Ratis, and what
 * decides or applies does no I/O and asks neither clock nor chance. A package of a rule without
 * classes fails.
 */
@AnalyzeClasses(
        packages = {"io.parterre", "org.apache.ratis"},
        importOptions = {
            ImportOption.DoNotIncludeTests.class,
            ArchitectureTest.DoNotIncludeTestSupport.class,
            ArchitectureTest.DoNotIncludeRatis.class
        })
final class ArchitectureTest {
    /** What tests share comes in a jar like any other. */
    static final class DoNotIncludeTestSupport implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("io/parterre/testing/") && !location.contains("-tests.jar!");
        }
    }

    /** Of {@code org.apache.ratis} only our own classes count, which lie in none of its jars. */
    static final class DoNotIncludeRatis implements ImportOption {
        private static final Pattern JAR = Pattern.compile(".*/ratis-[^/]*\\.jar!/.*");

        @Override
        public boolean includes(Location location) {
            return !location.matches(JAR);
        }
    }

    private static final String SERVER = "io.parterre.server..";
    private static final String MANAGER = "io.parterre.manager..";
    private static final String FRONT_END = "io.parterre.frontend..";
    private static final String SIMULATOR = "io.parterre.simulator..";
    private static final String DEPLOY = "io.parterre.deploy..";
    private static final String RATIS = "org.apache.ratis..";

    /** Packages of {@code raft-support}. */
    private static final List<String> RAFT_SUPPORT =
            List.of("io.parterre.raftlink..", "io.parterre.raftlog..", RATIS);

    /** Packages of the roles that may use Ratis. */
    private static final List<String> RAFT =
            List.of("io.parterre.server.raft..", "io.parterre.manager.raft..");

    private static final List<String> PURE_PACKAGES =
            List.of(
                    "io.parterre.key..",
                    "io.parterre.range..",
                    "io.parterre.entity..",
                    "io.parterre.filter..",
                    "io.parterre.error..",
                    "io.parterre.check..",
                    "io.parterre.disk..",
                    "io.parterre.quota..",
                    "io.parterre.directory..",
                    "io.parterre.server.apply..",
                    "io.parterre.server.change..",
                    "io.parterre.server.query..",
                    "io.parterre.server.load..",
                    "io.parterre.server.command..",
                    "io.parterre.server.compare..",
                    "io.parterre.server.lifecycle..",
                    "io.parterre.frontend.config..",
                    "io.parterre.frontend.store..",
                    "io.parterre.server.clock..",
                    "io.parterre.server.members..",
                    "io.parterre.server.propose..",
                    "io.parterre.server.read..",
                    "io.parterre.server.record..",
                    "io.parterre.frontend.table..",
                    "io.parterre.frontend.auth..",
                    "io.parterre.frontend.route..",
                    "io.parterre.frontend.settings..",
                    "io.parterre.manager.map..",
                    "io.parterre.manager.plan..",
                    "io.parterre.manager.reason..",
                    "io.parterre.deploy.certs.plan..");

    /** What a replica is made of beside its Raft group. */
    private static final List<String> REPLICA_ROOMS =
            List.of(
                    "io.parterre.server.rows",
                    "io.parterre.server.copy",
                    "io.parterre.server.quarantine",
                    "io.parterre.server.read",
                    "io.parterre.server.members",
                    "io.parterre.server.clock",
                    "io.parterre.server.log",
                    "io.parterre.server.propose",
                    "io.parterre.server.replica");

    private static final DescribedPredicate<JavaClass> PURE =
            resideInAnyPackage(PURE_PACKAGES.toArray(String[]::new));

    private static final DescribedPredicate<JavaClass> PROTO =
            resideInAPackage("io.parterre..")
                    .and(resideOutsideOfPackages(SERVER, MANAGER, FRONT_END, SIMULATOR, DEPLOY))
                    .and(resideOutsideOfPackages(RAFT_SUPPORT.toArray(String[]::new)));

    private static final DescribedPredicate<JavaClass> MAY_USE_RATIS =
            resideInAnyPackage(RAFT_SUPPORT.toArray(String[]::new))
                    .or(resideInAnyPackage(RAFT.toArray(String[]::new)))
                    .or(
                            named(
                                    "the end of the process",
                                    "io\\.parterre\\.deploy\\.ProcessLifetime(\\$.*)?"));

    /** Give the parts of a partition server the ticker and the timers that they wait by. */
    private static final DescribedPredicate<JavaClass> TIME_OF_SERVER =
            named(
                    "wiring of time",
                    "io\\.parterre\\.server\\.(PartitionServer|ServerThreads)(\\$.*)?");

    /**
     * Hold the thread of a caller who asked for that, up to a limit by the injected ticker: the
     * last hand-over of a node that closes, the end of a Raft group.
     */
    private static final DescribedPredicate<JavaClass> WAITS_OF_SERVER =
            named(
                    "waits for what tells nobody",
                    "io\\.parterre\\.server\\." + "(LeadershipHandOver|raft\\.RaftHost)");

    /** A package that is renamed or emptied would drop out of its rules unnoticed. */
    @ArchTest
    static void packagesOfRulesHaveClasses(JavaClasses classes) {
        for (List<String> packages : List.of(PURE_PACKAGES, RAFT_SUPPORT, RAFT, REPLICA_ROOMS)) {
            for (String each : packages) {
                DescribedPredicate<JavaClass> there = resideInAPackage(each);
                assertThat(classes.stream().filter(there)).as(each).isNotEmpty();
            }
        }
    }

    /** With Ratis's own classes among those read, rules would judge Ratis. */
    @ArchTest
    static void ratisItselfIsNotRead(JavaClasses classes) {
        assertThat(classes.contain(TimeDuration.class)).isFalse();
    }

    @ArchTest
    static final ArchRule protoDependsOnNoRole =
            noClasses()
                    .that(PROTO)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(SERVER, MANAGER, FRONT_END, SIMULATOR, DEPLOY);

    @ArchTest
    static final ArchRule protoDependsOnNoRaftSupport =
            noClasses()
                    .that(PROTO)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(RAFT_SUPPORT.toArray(String[]::new));

    @ArchTest
    static final ArchRule raftSupportDependsOnNoRole =
            noClasses()
                    .that(resideInAnyPackage(RAFT_SUPPORT.toArray(String[]::new)))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(SERVER, MANAGER, FRONT_END, SIMULATOR, DEPLOY);

    /** An upgrade of Ratis has to look at these and at nothing else. */
    @ArchTest static final ArchRule onlyRaftMayUseRatis = usesNoRatis(not(MAY_USE_RATIS));

    @ArchTest
    static final ArchRule serverDependsOnNoOtherRole =
            knowsNothingOf(SERVER, MANAGER, FRONT_END, SIMULATOR);

    @ArchTest
    static final ArchRule managerDependsOnNoOtherRole =
            knowsNothingOf(MANAGER, SERVER, FRONT_END, SIMULATOR);

    @ArchTest
    static final ArchRule frontEndDependsOnNoOtherRole =
            knowsNothingOf(FRONT_END, SERVER, MANAGER, SIMULATOR);

    /** Whatever has a reason may use them. */
    @ArchTest
    static final ArchRule reasonsUseNothingOfTheirManager =
            noClasses()
                    .that()
                    .resideInAPackage("io.parterre.manager.reason..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "io.parterre.manager.map..",
                            "io.parterre.manager.plan..",
                            "io.parterre.manager.lead..",
                            "io.parterre.manager.rpc..",
                            "io.parterre.manager.raft..");

    /** Each room of the plan may use those before it. */
    @ArchTest
    static final ArchRule roomsOfThePlanDependOneWay =
            layeredArchitecture()
                    .consideringOnlyDependenciesInAnyPackage("io.parterre.manager.plan..")
                    .layer("policy")
                    .definedBy("io.parterre.manager.plan.policy")
                    .layer("view")
                    .definedBy("io.parterre.manager.plan.view")
                    .layer("progress")
                    .definedBy("io.parterre.manager.plan.progress")
                    .layer("decide")
                    .definedBy("io.parterre.manager.plan.decide")
                    .layer("membership")
                    .definedBy("io.parterre.manager.plan.membership")
                    .layer("request")
                    .definedBy("io.parterre.manager.plan.request")
                    .layer("explain")
                    .definedBy("io.parterre.manager.plan.explain")
                    .whereLayer("policy")
                    .mayNotAccessAnyLayer()
                    .whereLayer("view")
                    .mayOnlyAccessLayers("policy")
                    .whereLayer("progress")
                    .mayOnlyAccessLayers("policy", "view")
                    .whereLayer("decide")
                    .mayOnlyAccessLayers("policy", "view", "progress")
                    .whereLayer("membership")
                    .mayOnlyAccessLayers("view")
                    .whereLayer("request")
                    .mayOnlyAccessLayers("policy", "view", "progress", "decide", "membership")
                    .whereLayer("explain")
                    .mayOnlyAccessLayers("policy", "view", "progress", "decide", "request");

    @ArchTest
    static final ArchRule roomsOfThePlanHaveNoCycles =
            slices().matching("io.parterre.manager.plan.(*)..").should().beFreeOfCycles();

    /** Those that stand alone, and those that may use rows, copies and reads. */
    @ArchTest
    static final ArchRule roomsOfReplicasDependOneWay =
            layeredArchitecture()
                    .consideringOnlyDependenciesInAnyPackage(
                            REPLICA_ROOMS.get(0), REPLICA_ROOMS.toArray(String[]::new))
                    .layer("rows")
                    .definedBy("io.parterre.server.rows")
                    .layer("copy")
                    .definedBy("io.parterre.server.copy")
                    .layer("quarantine")
                    .definedBy("io.parterre.server.quarantine")
                    .layer("read")
                    .definedBy("io.parterre.server.read")
                    .layer("members")
                    .definedBy("io.parterre.server.members")
                    .layer("clock")
                    .definedBy("io.parterre.server.clock")
                    .layer("log")
                    .definedBy("io.parterre.server.log")
                    .layer("propose")
                    .definedBy("io.parterre.server.propose")
                    .layer("replica")
                    .definedBy("io.parterre.server.replica")
                    .whereLayer("rows")
                    .mayNotAccessAnyLayer()
                    .whereLayer("copy")
                    .mayOnlyAccessLayers("rows")
                    .whereLayer("quarantine")
                    .mayOnlyAccessLayers("rows", "copy")
                    .whereLayer("read")
                    .mayOnlyAccessLayers("rows")
                    .whereLayer("members")
                    .mayOnlyAccessLayers("read")
                    .whereLayer("clock")
                    .mayNotAccessAnyLayer()
                    .whereLayer("log")
                    .mayNotAccessAnyLayer()
                    .whereLayer("propose")
                    .mayNotAccessAnyLayer()
                    .whereLayer("replica")
                    .mayOnlyAccessLayers("rows", "copy", "quarantine");

    /**
     * From the node that holds replicas down to what they are made of; each uses those below it.
     */
    @ArchTest
    static final ArchRule layersOfThePartitionServerDependOneWay =
            layeredArchitecture()
                    .consideringOnlyDependenciesInLayers()
                    .layer("replica rooms")
                    .definedBy(REPLICA_ROOMS.toArray(String[]::new))
                    .layer("lead")
                    .definedBy("io.parterre.server.lead")
                    .layer("raft")
                    .definedBy("io.parterre.server.raft")
                    .layer("node")
                    .definedBy("io.parterre.server.node")
                    .layer("rpc")
                    .definedBy("io.parterre.server.rpc")
                    .layer("wiring")
                    .definedBy("io.parterre.server")
                    .whereLayer("replica rooms")
                    .mayNotAccessAnyLayer()
                    .whereLayer("lead")
                    .mayOnlyAccessLayers("replica rooms")
                    .whereLayer("raft")
                    .mayOnlyAccessLayers("replica rooms", "lead")
                    .whereLayer("node")
                    .mayOnlyAccessLayers("replica rooms", "lead", "raft")
                    .whereLayer("rpc")
                    .mayOnlyAccessLayers("replica rooms", "lead", "raft", "node")
                    .whereLayer("wiring")
                    .mayNotBeAccessedByAnyLayer();

    @ArchTest
    static final ArchRule roomsOfReplicasKnowNothingAbove =
            noClasses()
                    .that()
                    .resideInAnyPackage(REPLICA_ROOMS.toArray(String[]::new))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "io.parterre.server",
                            "io.parterre.server.lead..",
                            "io.parterre.server.raft..",
                            "io.parterre.server.node..",
                            "io.parterre.server.rpc..");

    @ArchTest
    static final ArchRule packagesOfThePartitionServerHaveNoCycles =
            slices().matching("io.parterre.server.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule simulatorDependsOnRolesOnly = knowsNothingOf(SIMULATOR, FRONT_END);

    /** What decides and applies in a simulation is what does so in a node. */
    @ArchTest
    static final ArchRule simulatorUsesWhatIsPureOfTheServer =
            noClasses()
                    .that()
                    .resideInAPackage(SIMULATOR)
                    .should()
                    .dependOnClassesThat(resideInAPackage(SERVER).and(not(PURE)));

    @ArchTest static final ArchRule purePackagesDoNoIo = doesNoIo(PURE);

    @ArchTest
    static final ArchRule purePackagesReadNeitherClockNorRandomness =
            asksNeitherTimeNorChance(PURE);

    /**
     * A thread that sleeps cannot be woken by a test's clock; only the wiring may wait like this.
     */
    @ArchTest static final ArchRule onlyDeployMaySleep = sleepsNot(resideOutsideOfPackages(DEPLOY));

    /**
     * A timer of the virtual machine goes on when a test's clock stands still, and rings in a part
     * that is closed.
     */
    @ArchTest
    static final ArchRule partitionServerGetsItsTimeFromItsWiring =
            keepsNoTime(resideInAPackage(SERVER).and(not(TIME_OF_SERVER)));

    @ArchTest
    static final ArchRule partitionServerParksNoThread =
            parksNot(resideInAPackage(SERVER).and(not(WAITS_OF_SERVER)));

    /** The terminal belongs to the command line; everyone else logs. */
    @ArchTest static final ArchRule onlyDeployMayPrint = printsNot(resideOutsideOfPackages(DEPLOY));

    private static ArchRule knowsNothingOf(String role, String... others) {
        return noClasses()
                .that()
                .resideInAPackage(role)
                .should()
                .dependOnClassesThat(resideInAnyPackage(others).or(resideInAPackage(DEPLOY)))
                .allowEmptyShould(true);
    }
}
