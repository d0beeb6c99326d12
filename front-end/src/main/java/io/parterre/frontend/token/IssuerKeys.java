package io.parterre.frontend.token;

import com.nimbusds.jose.jwk.JWKSet;
import io.parterre.concurrent.DaemonThreads;
import io.parterre.frontend.auth.TokenKeys;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The issuer's keys as last read, and a thread that reads them periodically. Thread-safe; only this
 * thread blocks.
 *
 * <p>Keys survive an outage of the issuer for {@code ageMax}. Tokens with unknown keys cause a read
 * at most every half minute, however many such tokens arrive.
 */
public final class IssuerKeys implements TokenKeys, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(IssuerKeys.class);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(10);
    private static final Duration UNASKED_PAUSE = Duration.ofSeconds(30);

    private final IssuerKeysConfig config;
    private final KeyDocument document;
    private final LongSupplier nanos;
    private final ScheduledExecutorService thread;
    private final AtomicBoolean asked = new AtomicBoolean();
    private volatile Optional<Reading> latest = Optional.empty();
    private volatile long attemptedAtNanos;
    private volatile boolean failing;

    private record Reading(JWKSet keys, long atNanos) {}

    private IssuerKeys(IssuerKeysConfig config, KeyDocument document, LongSupplier nanos) {
        this.config = config;
        this.document = document;
        this.nanos = nanos;
        this.attemptedAtNanos = nanos.getAsLong();
        this.thread =
                new ScheduledThreadPoolExecutor(
                        1,
                        DaemonThreads.named("issuer-keys"),
                        // After the end, callers get the keys read last.
                        new ThreadPoolExecutor.DiscardPolicy());
    }

    /**
     * Starts to read keys.
     *
     * @param nanos monotonic clock
     * @throws IOException if the keys are in a file that cannot be read or has none; an address is
     *     retried instead
     */
    public static IssuerKeys start(IssuerKeysConfig config, LongSupplier nanos) throws IOException {
        if (config.isAddress()) {
            return start(
                    config, new KeyAddress(URI.create(config.location()), READ_TIMEOUT), nanos);
        }
        KeyFile file = new KeyFile(Path.of(config.location()));
        parse(file.read());
        return start(config, file, nanos);
    }

    static IssuerKeys start(IssuerKeysConfig config, KeyDocument document, LongSupplier nanos) {
        IssuerKeys keys = new IssuerKeys(config, document, nanos);
        keys.asked.set(true);
        keys.thread.execute(keys::readAgainAndAgain);
        return keys;
    }

    @Override
    public Optional<JWKSet> current() {
        return latest.filter(read -> isYounger(read.atNanos(), config.ageMax())).map(Reading::keys);
    }

    @Override
    public boolean refresh() {
        boolean idle = !isYounger(attemptedAtNanos, UNASKED_PAUSE);
        boolean first = idle && asked.compareAndSet(false, true);
        if (first) {
            thread.execute(this::read);
        }
        return first || asked.get() || current().isEmpty();
    }

    private boolean isYounger(long atNanos, Duration age) {
        return nanos.getAsLong() - atNanos < age.toNanos();
    }

    private void readAgainAndAgain() {
        Duration delay =
                read() || config.refreshInterval().compareTo(RETRY_DELAY) < 0
                        ? config.refreshInterval()
                        : RETRY_DELAY;
        thread.schedule(this::readAgainAndAgain, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Reads once. If the read fails, the previous keys stay.
     *
     * @return whether keys were read
     */
    private boolean read() {
        attemptedAtNanos = nanos.getAsLong();
        try {
            JWKSet keys = parse(document.read());
            latest = Optional.of(new Reading(keys, attemptedAtNanos));
            if (failing) {
                log.info("issuer keys read again location={}", config.location());
            }
            failing = false;
            return true;
        } catch (IOException | RuntimeException unreadable) {
            if (!failing) {
                log.warn("issuer keys not read location={}", config.location(), unreadable);
            }
            failing = true;
            return false;
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            asked.set(false);
        }
    }

    /** Keeps only public keys, because other keys of the document must not verify signatures. */
    private static JWKSet parse(String text) throws IOException {
        try {
            JWKSet keys = JWKSet.parse(text).toPublicJWKSet();
            if (keys.isEmpty()) {
                throw new IOException("key set: no public key (expected: at least one)");
            }
            return keys;
        } catch (ParseException malformed) {
            throw new IOException("key set: malformed", malformed);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
