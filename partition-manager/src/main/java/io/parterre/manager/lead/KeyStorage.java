package io.parterre.manager.lead;

import io.parterre.manager.reason.Reason;
import java.util.Optional;

/**
 * How the leader intends to store the accounts' keys.
 *
 * @param keyId id of the encryption key; empty if the keys stay in clear
 * @param hindrance why they are not yet encrypted with it; empty if nothing prevents it
 */
public record KeyStorage(Optional<String> keyId, Optional<Reason> hindrance) {}
