package io.parterre.deploy.tls;

import java.util.function.LongSupplier;

/** Counts and logs connections and calls that are refused for who the peer is. */
public final class PeerRefusals {
    private final RefusalLog certificates;
    private final RefusalLog roles;
    private final RefusalLog ids;

    PeerRefusals(TlsMeters meters, LongSupplier nanoTicker) {
        this.certificates = new RefusalLog(meters.refusals("certificate"), nanoTicker);
        this.roles = new RefusalLog(meters.refusals("role"), nanoTicker);
        this.ids = new RefusalLog(meters.refusals("id"), nanoTicker);
    }

    /** A certificate that is not trusted, or of somebody who may not be at the other end. */
    void certificate(String reason) {
        certificates.refused(reason, "unknown");
    }

    /** A call that the peer's role may not make. */
    public void role(String reason, Object from) {
        roles.refused(reason, from);
    }

    /** A call in the name of somebody else. */
    public void id(String reason, Object from) {
        ids.refused(reason, from);
    }
}
