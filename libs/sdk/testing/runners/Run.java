import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;

/**
 * One vector a line on stdin, one verdict a line. Java has no JSON, so a line is four fields between tabs: now, body,
 * secrets, headers. The last two are lists of name:value between commas; a secret has no name. All text is in base64.
 */
public final class Run {
  public static void main(String[] arguments) {
    Scanner lines = new Scanner(System.in, StandardCharsets.UTF_8);
    while (lines.hasNextLine()) System.out.println(verdict(lines.nextLine().split("\t", -1)));
  }

  private static String verdict(String[] fields) {
    List<String> secrets = parts(fields[2]).stream().map(part -> text(part.split(":", -1)[1])).toList();
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (String part : parts(fields[3])) {
      String[] header = part.split(":", -1);
      headers.computeIfAbsent(text(header[0]), name -> new ArrayList<>()).add(text(header[1]));
    }
    try {
      Verify.verifyWebhook(Base64.getDecoder().decode(fields[1]), headers, secrets, Long.parseLong(fields[0]));
      return "valid";
    } catch (Verify.InvalidWebhook error) {
      return "invalid";
    }
  }

  private static List<String> parts(String list) {
    return list.isEmpty() ? List.of() : Arrays.asList(list.split(",", -1));
  }

  private static String text(String base64) {
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
  }
}
