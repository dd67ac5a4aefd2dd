import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Tells a webhook of the payout gateway from anything else. Needs nothing but Java, 17 or newer. */
public final class Verify {
  public static final class InvalidWebhook extends Exception {
    public InvalidWebhook(String message) {
      super(message);
    }
  }

  /**
   * Throws InvalidWebhook unless the gateway sent this.
   *
   * @param rawBody what was received, before anything parsed it
   * @param headers every name with all its values; of a servlet, from getHeaderNames() and getHeaders(name)
   * @param secrets your signing secret, or all that may be in use while it is rotated
   * @param now Unix seconds, as Instant.now().getEpochSecond() has them
   */
  public static void verifyWebhook(
      byte[] rawBody, Map<String, List<String>> headers, List<String> secrets, long now) throws InvalidWebhook {
    String timestamp = onlyOne(headers, "x-gw-timestamp");
    if (!timestamp.matches("[0-9]{10}")) throw new InvalidWebhook("x-gw-timestamp is missing or malformed");
    if (Math.abs(now - Long.parseLong(timestamp)) > 300)
      throw new InvalidWebhook("x-gw-timestamp is over 300 seconds away");
    String signature = onlyOne(headers, "x-gw-signature");
    if (!signature.matches("[0-9a-fA-F]{64}")) throw new InvalidWebhook("x-gw-signature is missing or malformed");
    byte[] given = HexFormat.of().parseHex(signature);
    boolean matched = false;
    for (String secret : secrets) {
      // An empty secret is one that was not configured: anybody can sign with it.
      if (!secret.isEmpty()) matched |= MessageDigest.isEqual(given, sign(secret, timestamp, rawBody));
    }
    if (!matched) throw new InvalidWebhook("x-gw-signature does not match");
  }

  private static byte[] sign(String secret, String timestamp, byte[] rawBody) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      mac.update((timestamp + ".").getBytes(StandardCharsets.US_ASCII));
      return mac.doFinal(rawBody);
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException("Every Java has HmacSHA256.", error);
    }
  }

  /** The value of a header that came exactly once, else nothing: of two, nobody knows which was signed. */
  private static String onlyOne(Map<String, List<String>> headers, String name) {
    List<String> found =
        headers.entrySet().stream()
            .filter(header -> name.equalsIgnoreCase(header.getKey()))
            .flatMap(header -> header.getValue().stream())
            .toList();
    return found.size() == 1 ? found.get(0) : "";
  }

  private Verify() {}
}
