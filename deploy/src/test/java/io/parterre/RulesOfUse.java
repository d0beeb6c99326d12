package io.parterre;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.Random;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** Rules on what classes may use: disks and networks, clocks, chance, threads and the terminal. */
final class RulesOfUse {
    private RulesOfUse() {}

    static ArchRule usesNoRatis(DescribedPredicate<JavaClass> where) {
        return noClasses()
                .that(where)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.ratis..");
    }

    /**
     * {@code URI}, {@code URLDecoder} and their kin only parse text, so they stay allowed; an
     * {@code InetAddress} may ask a name server and is not.
     */
    static ArchRule doesNoIo(DescribedPredicate<JavaClass> where) {
        DescribedPredicate<JavaClass> io =
                resideInAnyPackage(
                                "io.grpc..",
                                "io.netty..",
                                "org.rocksdb..",
                                "org.apache.ratis..",
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

    static ArchRule asksNeitherTimeNorChance(DescribedPredicate<JavaClass> where) {
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

    static ArchRule keepsNoTime(DescribedPredicate<JavaClass> where) {
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

    static ArchRule parksNot(DescribedPredicate<JavaClass> where) {
        return noClasses()
                .that(where)
                .should()
                .accessTargetWhere(use(LockSupport.class, "park.*"))
                .allowEmptyShould(true);
    }

    static ArchRule sleepsNot(DescribedPredicate<JavaClass> where) {
        return noClasses()
                .that(where)
                .should()
                .accessTargetWhere(use(Thread.class, "sleep"))
                .allowEmptyShould(true);
    }

    static ArchRule printsNot(DescribedPredicate<JavaClass> where) {
        return noClasses()
                .that(where)
                .should()
                .accessTargetWhere(
                        use(System.class, "out|err").or(use(Throwable.class, "printStackTrace")))
                .allowEmptyShould(true);
    }

    static DescribedPredicate<JavaClass> named(String description, String pattern) {
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
}
