package io.parterre.manager.secret;

import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonText;

/** An account's key cannot be decrypted here. */
public final class UnreadableKeyException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final transient Reason reason;

    UnreadableKeyException(Reason reason) {
        super(ReasonText.of(reason));
        this.reason = reason;
    }

    Reason reason() {
        return reason;
    }
}
