package io.parterre;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.ratis.util.TimeDuration;
import org.junit.jupiter.api.Test;

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
                    "io.parterre.frontend.table..",
                    "io.parterre.frontend.auth..",
                    "io.parterre.frontend.route..",
                    "io.parterre.frontend.settings..",
                    "io.parterre.manager.map..",
                    "io.parterre.manager.plan..",
                    "io.parterre.manager.reason..");

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

    private static ArchRule usesNoRatis(DescribedPredicate<JavaClass> where) {
        return noClasses().that(where).should().dependOnClassesThat().resideInAPackage(RATIS);
    }

    /**
     * {@code URI}, {@code URLDecoder} and their kin only parse text, so they stay allowed; an
     * {@code InetAddress} may ask a name server and is not.
     */
    private static ArchRule doesNoIo(DescribedPredicate<JavaClass> where) {
        DescribedPredicate<JavaClass> io =
                resideInAnyPackage(
                                "io.grpc..",
                                "io.netty..",
                                "org.rocksdb..",
                                RATIS,
                                "java.net.http..",
                                "java.nio.file..",
                                "java.nio.channels..")
                        .or(
                                named(
                                        "files and sockets",
                                        "java\\.io\\.(File|RandomAccessFile).*"
                                                + "|java\\.net\\.\\w*(Socket|Inet\\w*Address).*"
                                                + "|java\\.net\\.\\w*URLConnection"));
        return noClasses().that(where).should().dependOnClassesThat(io).allowEmptyShould(true);
    }

    private static ArchRule asksNeitherTimeNorChance(DescribedPredicate<JavaClass> where) {
        return noClasses()
                .that(where)
                .should()
                .accessTargetWhere(
                        asksTheTime()
                                .or(use(Thread.class, "sleep"))
                                .or(use(Math.class, "random"))
                                .or(use(UUID.class, "randomUUID"))
                                .or(use(ThreadLocalRandom.class, "current"))
                                .or(useOfNoArgumentConstructor(Random.class))
                                .or(useOfNoArgumentConstructor(SecureRandom.class))
                                .as("asks the time or chance"))
                .allowEmptyShould(true);
    }

    private static DescribedPredicate<JavaAccess<?>> asksTheTime() {
        return use(Instant.class, "now")
                .or(use(LocalDate.class, "now"))
                .or(use(LocalDateTime.class, "now"))
                .or(use(OffsetDateTime.class, "now"))
                .or(use(ZonedDateTime.class, "now"))
                .or(use(Clock.class, "system.*|tick.*"))
                .or(use(InstantSource.class, "system"))
                .or(use(System.class, "currentTimeMillis|nanoTime"))
                .or(useOfNoArgumentConstructor(Date.class));
    }

    private static ArchRule keepsNoTime(DescribedPredicate<JavaClass> where) {
        return noClasses()
                .that(where)
                .should()
                .accessTargetWhere(
                        asksTheTime()
                                .or(
                                        use(
                                                CompletableFuture.class,
                                                "orTimeout|completeOnTimeout|delayedExecutor"))
                                .or(use(Executors.class, "new.*Scheduled.*"))
                                .or(use(ScheduledThreadPoolExecutor.class, "<init>"))
                                .or(use(Timer.class, "<init>"))
                                .as("asks the time or makes a timer"))
                .allowEmptyShould(true);
    }

    private static ArchRule parksNot(DescribedPredicate<JavaClass> where) {
        return noClasses()
                .that(where)
                .should()
                .accessTargetWhere(use(LockSupport.class, "park.*"))
                .allowEmptyShould(true);
    }

    private static ArchRule sleepsNot(DescribedPredicate<JavaClass> where) {
        return noClasses()
                .that(where)
                .should()
                .accessTargetWhere(use(Thread.class, "sleep"))
                .allowEmptyShould(true);
    }

    private static ArchRule printsNot(DescribedPredicate<JavaClass> where) {
        return noClasses()
                .that(where)
                .should()
                .accessTargetWhere(
                        use(System.class, "out|err").or(use(Throwable.class, "printStackTrace")))
                .allowEmptyShould(true);
    }

    private static DescribedPredicate<JavaClass> named(String description, String pattern) {
        return DescribedPredicate.describe(
                description, javaClass -> javaClass.getName().matches(pattern));
    }

    /** A call, a method reference or a read of a field, all of which ArchUnit calls access. */
    private static DescribedPredicate<JavaAccess<?>> use(Class<?> owner, String pattern) {
        return DescribedPredicate.describe(
                owner.getSimpleName() + "." + pattern,
                access ->
                        access.getTargetOwner().isAssignableTo(owner)
                                && access.getTarget().getName().matches(pattern));
    }

    private static DescribedPredicate<JavaAccess<?>> useOfNoArgumentConstructor(Class<?> owner) {
        return DescribedPredicate.describe(
                "new " + owner.getSimpleName() + "()",
                access ->
                        access.getTargetOwner().isEquivalentTo(owner)
                                && access.getTarget().getName().equals("<init>")
                                && access.getTarget() instanceof CodeUnitAccessTarget constructor
                                && constructor.getRawParameterTypes().isEmpty());
    }

    /** Rules that pass on empty packages prove nothing until they have refused something. */
    @Test
    void architectureRulesFail_whenClassViolatesThem() {
        assertThat(violations(doesNoIo(anyClass()), Reads.class)).isNotEmpty();
        assertThat(violations(doesNoIo(anyClass()), Connects.class)).isNotEmpty();
        assertThat(violations(asksNeitherTimeNorChance(anyClass()), AsksTheTime.class)).hasSize(2);
        assertThat(violations(asksNeitherTimeNorChance(anyClass()), RollsDice.class)).hasSize(1);
        assertThat(violations(sleepsNot(anyClass()), Sleeps.class)).hasSize(1);
        assertThat(violations(keepsNoTime(anyClass()), AsksTheTime.class)).hasSize(2);
        assertThat(violations(keepsNoTime(anyClass()), MakesTimers.class)).hasSize(4);
        assertThat(violations(parksNot(anyClass()), Parks.class)).hasSize(1);
        assertThat(violations(printsNot(anyClass()), Prints.class)).hasSize(1);
        assertThat(violations(usesNoRatis(anyClass()), UsesRatis.class)).isNotEmpty();
    }

    @Test
    void purityRulesPass_whenClockAndRandomnessAreInjected() {
        assertThat(violations(asksNeitherTimeNorChance(anyClass()), IsToldTheTime.class)).isEmpty();
        assertThat(violations(doesNoIo(anyClass()), IsToldTheTime.class)).isEmpty();
        assertThat(violations(keepsNoTime(anyClass()), IsToldTheTime.class)).isEmpty();
    }

    private static DescribedPredicate<JavaClass> anyClass() {
        return DescribedPredicate.alwaysTrue();
    }

    private static List<String> violations(ArchRule rule, Class<?> subject) {
        return rule.evaluate(new ClassFileImporter().importClasses(subject))
                .getFailureReport()
                .getDetails();
    }

    // What follows exists to be refused; nobody calls it.

    @SuppressWarnings("unused")
    private static final class Reads {
        byte[] all(Path file) throws IOException {
            return Files.readAllBytes(file);
        }
    }

    @SuppressWarnings("unused")
    private static final class Connects {
        void to(String name, int port) throws IOException {
            new Socket(name, port).close();
        }
    }

    @SuppressWarnings("unused")
    private static final class AsksTheTime {
        final Supplier<Instant> later = Instant::now;

        Instant now() {
            return Instant.now();
        }
    }

    @SuppressWarnings("unused")
    private static final class RollsDice {
        final Random random = new Random();
    }

    @SuppressWarnings("unused")
    private static final class Sleeps {
        void nap() throws InterruptedException {
            Thread.sleep(1);
        }
    }

    @SuppressWarnings("unused")
    private static final class MakesTimers {
        final Timer timer = new Timer(true);
        final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

        Executor later() {
            return CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);
        }

        CompletableFuture<Void> limited(CompletableFuture<Void> call) {
            return call.orTimeout(1, TimeUnit.SECONDS);
        }
    }

    @SuppressWarnings("unused")
    private static final class Parks {
        void nap() {
            LockSupport.parkNanos(1);
        }
    }

    @SuppressWarnings("unused")
    private static final class Prints {
        void hello() {
            System.out.println("hello");
        }
    }

    @SuppressWarnings("unused")
    private static final class UsesRatis {
        final TimeDuration wait = TimeDuration.ONE_SECOND;
    }

    @SuppressWarnings("unused")
    private static final class IsToldTheTime {
        final Random random = new Random(7);

        Instant next(InstantSource source) {
            return source.instant().plusMillis(random.nextInt(9));
        }
    }
}
