package io.parterre.tls;

import io.parterre.concurrent.DaemonThreads;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * Credentials of files that are read again and again. Certificate, key and trusted issuers change
 * together or not at all: files that are of no use leave what was read before. Safe for any thread.
 */
public final class WatchedCredentials implements AutoCloseable {
    /** Is told what the files turned out to be, once for each of their contents. */
    public interface Listener {
        /** These are in use from now on, the first ones included. */
        void taken(Credentials credentials);

        /** The files have changed and are of no use; what was read before stays in use. */
        void kept(String reason);
    }

    private final CredentialFiles files;
    private final PeerRule own;
    private final Listener listener;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("tls-files"));

    private volatile Credentials current;
    private volatile boolean stale;

    // Fingerprint of the current ones, and why those that are there now are not; guarded by this.
    private String taken;
    private String trouble = "";

    private WatchedCredentials(
            CredentialFiles files,
            PeerRule own,
            Listener listener,
            Credentials first,
            String fingerprint) {
        this.files = files;
        this.own = own;
        this.listener = listener;
        this.current = first;
        this.taken = fingerprint;
    }

    /**
     * Reads the files, now and at each interval.
     *
     * @param own who the certificate has to be of
     * @throws CredentialsException if they are of no use now
     */
    public static WatchedCredentials open(
            CredentialFiles files, PeerRule own, Duration interval, Listener listener)
            throws CredentialsException {
        CredentialReader reader = CredentialReader.read(files);
        WatchedCredentials watched =
                new WatchedCredentials(
                        files, own, listener, usable(files, reader, own), reader.fingerprint());
        listener.taken(watched.current);
        watched.timer.scheduleWithFixedDelay(
                watched::look, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
        return watched;
    }

    /**
     * Looks once whether the files are of use.
     *
     * @throws CredentialsException if they are not
     */
    public static void check(CredentialFiles files, PeerRule own) throws CredentialsException {
        usable(files, CredentialReader.read(files), own);
    }

    private static Credentials usable(CredentialFiles files, CredentialReader reader, PeerRule own)
            throws CredentialsException {
        Credentials credentials = reader.credentials();
        Optional<String> refusal = own.refusal(credentials.identity());
        if (refusal.isPresent()) {
            throw new CredentialsException(files.certificateChain() + ": " + refusal.get());
        }
        return credentials;
    }

    /** Takes what the files hold now, unless it is in use or of no use. */
    synchronized void look() {
        try {
            CredentialReader reader = CredentialReader.read(files);
            String found = reader.fingerprint();
            if (!found.equals(taken)) {
                current = usable(files, reader, own);
                taken = found;
                listener.taken(current);
            }
            stale = false;
            trouble = "";
        } catch (CredentialsException unusable) {
            keep(unusable.getMessage());
        } catch (RuntimeException defect) {
            // The timer would end for good.
            keep(defect.toString());
        }
    }

    private void keep(String reason) {
        stale = true;
        if (!reason.equals(trouble)) {
            trouble = reason;
            listener.kept(reason);
        }
    }

    /** In use now. */
    public Credentials current() {
        return current;
    }

    /** Whether the files hold something of no use now, and older credentials are in use. */
    public boolean isStale() {
        return stale;
    }

    /**
     * Contexts for connections: always that of the newest credentials, and the same as long as they
     * are.
     *
     * @param rule who may be at the other end
     * @param verifyHost whether a server's certificate that names hosts has to name the one that
     *     was connected to
     * @param onRefusal told why a peer was refused
     */
    public Supplier<SSLContext> contexts(
            PeerRule rule, boolean verifyHost, Consumer<String> onRefusal) {
        return new Contexts(rule, verifyHost, onRefusal);
    }

    private final class Contexts implements Supplier<SSLContext> {
        private record Made(Credentials by, SSLContext context) {}

        private final PeerRule rule;
        private final boolean verifyHost;
        private final Consumer<String> onRefusal;
        private volatile Optional<Made> last = Optional.empty();

        Contexts(PeerRule rule, boolean verifyHost, Consumer<String> onRefusal) {
            this.rule = rule;
            this.verifyHost = verifyHost;
            this.onRefusal = onRefusal;
        }

        @Override
        public SSLContext get() {
            Credentials newest = current;
            Optional<Made> known = last;
            if (known.isPresent() && known.get().by() == newest) {
                return known.get().context();
            }
            try {
                SSLContext made = newest.context(rule, verifyHost, onRefusal);
                last = Optional.of(new Made(newest, made));
                return made;
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("no TLS with " + newest, e);
            }
        }
    }

    /** Reads no more. */
    @Override
    public void close() {
        timer.shutdownNow();
    }
}
