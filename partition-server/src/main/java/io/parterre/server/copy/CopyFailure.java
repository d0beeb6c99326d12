package io.parterre.server.copy;

import io.parterre.server.metrics.CopyEnd;
import java.io.IOException;

/** Thrown if a copy of a replica failed, with the kind of end. */
public final class CopyFailure extends IOException {
    private static final long serialVersionUID = 1L;

    private final CopyEnd end;

    public CopyFailure(CopyEnd end, String message) {
        super(message);
        this.end = end;
    }

    public CopyFailure(CopyEnd end, String message, Throwable cause) {
        super(message, cause);
        this.end = end;
    }

    public CopyEnd end() {
        return end;
    }
}
