package io.parterre.deploy.tls;

import java.util.function.LongSupplier;

/** Counts and logs connections and calls that are refused because of the peer's identity. */
public final class PeerRefusals {
    private final RefusalLog certificates;
    private final RefusalLog roles;
    private final RefusalLog ids;

    PeerRefusals(TlsMeters meters, LongSupplier nanoTicker) {
        this.certificates = new RefusalLog(meters.refusals("certificate"), nanoTicker);
        this.roles = new RefusalLog(meters.refusals("role"), nanoTicker);
        this.ids = new RefusalLog(meters.refusals("id"), nanoTicker);
    }

    /** Counts a certificate that is not trusted, or whose holder may not be at the other end. */
    void certificate(String reason) {
        certificates.refused(reason, "unknown");
    }

    /** Counts a call that the peer's role may not make. */
    public void role(String reason, Object from) {
        roles.refused(reason, from);
    }

    /** Counts a call in the name of another node. */
    public void id(String reason, Object from) {
        ids.refused(reason, from);
    }
}
