package io.parterre.manager.lead;

import io.parterre.manager.reason.Reason;
import java.util.Optional;

/**
 * How the leader wants keys of accounts to be kept.
 *
 * @param keyId of the key that they shall be encrypted with; empty: in clear
 * @param hindrance why they are not yet; empty: nothing is in the way
 */
public record KeyStorage(Optional<String> keyId, Optional<Reason> hindrance) {}
