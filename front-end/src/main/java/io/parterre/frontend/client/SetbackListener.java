package io.parterre.frontend.client;

/** Told of each attempt that did not bring the answer asked for. Must not block. */
@FunctionalInterface
public interface SetbackListener {
    /**
     * @param reason one word of a closed set, see {@link io.parterre.frontend.route.Setback#reason}
     */
    void setback(String reason);
}
