package io.parterre;

import static io.parterre.RulesOfUse.asksNeitherTimeNorChance;
import static io.parterre.RulesOfUse.doesNoIo;
import static io.parterre.RulesOfUse.keepsNoTime;
import static io.parterre.RulesOfUse.parksNot;
import static io.parterre.RulesOfUse.printsNot;
import static io.parterre.RulesOfUse.sleepsNot;
import static io.parterre.RulesOfUse.usesNoRatis;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.ratis.util.TimeDuration;
import org.junit.jupiter.api.Test;

/** The rules refuse what they are to refuse, and nothing else. */
final class RulesOfUseTest {
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
