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
 * Credentials from files that are read repeatedly. Certificate, key and trusted issuers change
 * together or not at all: files that cannot be used leave the earlier credentials in use. Safe for
 * any thread.
 */
public final class WatchedCredentials implements AutoCloseable {
    /** Is notified of the result of reading the files, once for each content. */
    public interface Listener {
        /** These credentials are in use from now on; also called for the first ones. */
        void taken(Credentials credentials);

        /** The files have changed and cannot be used; the earlier credentials stay in use. */
        void kept(String reason);
    }

    private final CredentialFiles files;
    private final PeerRule own;
    private final Listener listener;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("tls-files"));

    private volatile Credentials current;
    private volatile boolean stale;

    // Fingerprint of the current credentials, and why the files' present content is not in use;
    // guarded by this.
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
     * @param own rule that the own certificate has to satisfy
     * @throws CredentialsException if the files cannot be used now
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
     * Checks once whether the files can be used.
     *
     * @throws CredentialsException if they cannot
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

    /** Takes the files' content, unless it is in use already or cannot be used. */
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
            // An exception thrown on would end the timer for good.
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

    /** The credentials in use. */
    public Credentials current() {
        return current;
    }

    /** Returns whether the files cannot be used now, and older credentials are in use. */
    public boolean isStale() {
        return stale;
    }

    /**
     * Returns a source of contexts for connections: always of the newest credentials, and the same
     * context until these change.
     *
     * @param rule rule that the peer has to satisfy
     * @param verifyHost whether a server's certificate that names hosts has to name the connected
     *     host
     * @param onRefusal receives the reason why a peer was refused
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

    /** Ends reading the files. */
    @Override
    public void close() {
        timer.shutdownNow();
    }
}
